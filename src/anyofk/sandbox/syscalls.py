"""System calls by name: their numbers per architecture, and what a program may do with them.

The numbers are the kernel's own (``asm/unistd_64.h`` for x86-64, ``asm-generic/unistd.h``
for aarch64). What is in no group below is refused with EPERM, so a call that a later
kernel brings is refused until someone has thought about it.
"""

from __future__ import annotations

from typing import Final

from anyofk.sandbox.kernel import MACHINE


def _names(text: str) -> frozenset[str]:
    """Split a block of names."""
    return frozenset(text.split())


FILES = _names("""
    access cachestat chdir chmod chown close close_range copy_file_range creat dup dup2 dup3
    faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat
    fcntl fdatasync fgetxattr flistxattr flock fstat fstatfs fsync ftruncate futimesat getcwd
    getdents getdents64 getxattr ioctl lchown lgetxattr link linkat listxattr llistxattr lseek
    lstat mkdir mkdirat mknod mknodat newfstatat open openat openat2 pipe pipe2 pread64 preadv
    preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv rename renameat
    renameat2 rmdir sendfile splice stat statfs statx symlink symlinkat sync sync_file_range
    syncfs tee truncate umask unlink unlinkat utime utimensat utimes write writev
""")

MEMORY = _names("""
    brk get_mempolicy madvise membarrier mincore mlock mlock2 mmap mprotect mremap mseal msync
    munlock munlockall munmap pkey_alloc pkey_free pkey_mprotect
""")

TIME = _names("""
    alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep setitimer
    time timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
    timerfd_gettime timerfd_settime times
""")

WAITING = _names("""
    epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2
    futex futex_requeue futex_wait futex_waitv futex_wake get_robust_list pause poll ppoll
    pselect6 select set_robust_list signalfd signalfd4
""")

SIGNALS = _names("""
    restart_syscall rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigsuspend
    rt_sigtimedwait sigaltstack
""")

SENDING = _names("""
    kill pidfd_send_signal rt_sigqueueinfo rt_tgsigqueueinfo tgkill tkill
""")

# Those of them, and the opening of a pidfd, whose first argument is a process number.
SENDING_BY_PID = _names("kill pidfd_open rt_sigqueueinfo rt_tgsigqueueinfo tgkill tkill")

IDENTITY = _names("""
    arch_prctl capget exit exit_group getcpu getegid geteuid getgid getgroups getpgid getpgrp
    getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid gettid
    getuid rseq sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr
    sched_getparam sched_getscheduler sched_rr_get_interval sched_yield set_tid_address setpgid
    setrlimit setsid sysinfo uname
""")

PROCESSES = _names("""
    execve execveat fork pidfd_open vfork wait4 waitid
""")

SOCKETS = _names("""
    getpeername getsockname getsockopt recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto
    setsockopt shutdown socketpair
""")

UNIX_SOCKETS = _names("""
    accept accept4 bind connect listen
""")

# Judged by their arguments: see filters.py.
CONDITIONAL = _names("""
    clone clone3 prctl prlimit64 sched_setaffinity setpriority socket
""")

# No honest program needs these: the caller is killed, and its job is `forbidden`.
FATAL = _names("""
    add_key bpf clock_settime create_module delete_module fanotify_init finit_module fsconfig
    fsmount fsopen fspick init_module io_uring_enter io_uring_register io_uring_setup ioperm
    iopl kexec_file_load kexec_load keyctl memfd_secret modify_ldt mount mount_setattr
    move_mount open_by_handle_at open_tree perf_event_open pidfd_getfd pivot_root
    process_madvise process_vm_readv process_vm_writev ptrace quotactl quotactl_fd reboot
    request_key setns settimeofday swapoff swapon umount2 unshare userfaultfd
""")

# Lay more rules on oneself.
CONFINING = _names("landlock_restrict_self")

# Change a file without opening it for writing, or what is said about it.
ATTRIBUTES = _names("""
    chmod chown fchmod fchmodat fchmodat2 fchown fchownat futimesat lchown truncate utime
    utimensat utimes
""")

LAST_KNOWN: Final = 469
"""Above this a call is answered ENOSYS, as an older kernel would, so that libc falls back."""

AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# name, number on x86-64, number on aarch64; "-": does not exist there.
_TABLE: Final = """
accept 43 202; accept4 288 242; access 21 -; add_key 248 217; alarm 37 -; arch_prctl 158 -; bind
49 200; bpf 321 280; brk 12 214; cachestat 451 451; capget 125 90; chdir 80 49; chmod 90 -;
chown 92 -; clock_getres 229 114; clock_gettime 228 113; clock_nanosleep 230 115; clock_settime
227 112; clone 56 220; clone3 435 435; close 3 57; close_range 436 436; connect 42 203;
copy_file_range 326 285; creat 85 -; create_module 174 -; delete_module 176 106; dup 32 23; dup2
33 -; dup3 292 24; epoll_create 213 -; epoll_create1 291 20; epoll_ctl 233 21; epoll_pwait 281
22; epoll_pwait2 441 441; epoll_wait 232 -; eventfd 284 -; eventfd2 290 19; execve 59 221;
execveat 322 281; exit 60 93; exit_group 231 94; faccessat 269 48; faccessat2 439 439; fadvise64
221 223; fallocate 285 47; fanotify_init 300 262; fchdir 81 50; fchmod 91 52; fchmodat 268 53;
fchmodat2 452 452; fchown 93 55; fchownat 260 54; fcntl 72 25; fdatasync 75 83; fgetxattr 193
10; finit_module 313 273; flistxattr 196 13; flock 73 32; fork 57 -; fsconfig 431 431; fsmount
432 432; fsopen 430 430; fspick 433 433; fstat 5 80; fstatfs 138 44; fsync 74 82; ftruncate 77
46; futex 202 98; futex_requeue 456 456; futex_wait 455 455; futex_waitv 449 449; futex_wake 454
454; futimesat 261 -; get_mempolicy 239 236; get_robust_list 274 100; getcpu 309 168; getcwd 79
17; getdents 78 -; getdents64 217 61; getegid 108 177; geteuid 107 175; getgid 104 176;
getgroups 115 158; getitimer 36 102; getpeername 52 205; getpgid 121 155; getpgrp 111 -; getpid
39 172; getppid 110 173; getpriority 140 141; getrandom 318 278; getresgid 120 150; getresuid
118 148; getrlimit 97 163; getrusage 98 165; getsid 124 156; getsockname 51 204; getsockopt 55
209; gettid 186 178; gettimeofday 96 169; getuid 102 174; getxattr 191 8; init_module 175 105;
io_uring_enter 426 426; io_uring_register 427 427; io_uring_setup 425 425; ioctl 16 29; ioperm
173 -; iopl 172 -; kexec_file_load 320 294; landlock_restrict_self 446 446; kexec_load 246 104;
keyctl 250 219; kill 62 129; lchown 94 -; lgetxattr 192 9; link 86 -; linkat 265 37; listen 50
201; listxattr 194 11; llistxattr 195 12; lseek 8 62; lstat 6 -; madvise 28 233; membarrier 324
283; memfd_secret 447 447; mincore 27 232; mkdir 83 -; mkdirat 258 34; mknod 133 -; mknodat 259
33; mlock 149 228; mlock2 325 284; mmap 9 222; modify_ldt 154 -; mount 165 40; mount_setattr 442
442; move_mount 429 429; mprotect 10 226; mremap 25 216; mseal 462 462; msync 26 227; munlock
150 229; munlockall 152 231; munmap 11 215; nanosleep 35 101; newfstatat 262 79; open 2 -;
open_by_handle_at 304 265; open_tree 428 428; openat 257 56; openat2 437 437; pause 34 -;
perf_event_open 298 241; pidfd_getfd 438 438; pidfd_open 434 434; pidfd_send_signal 424 424;
pipe 22 -; pipe2 293 59; pivot_root 155 41; pkey_alloc 330 289; pkey_free 331 290; pkey_mprotect
329 288; poll 7 -; ppoll 271 73; prctl 157 167; pread64 17 67; preadv 295 69; preadv2 327 286;
prlimit64 302 261; process_madvise 440 440; process_vm_readv 310 270; process_vm_writev 311 271;
pselect6 270 72; ptrace 101 117; pwrite64 18 68; pwritev 296 70; pwritev2 328 287; quotactl 179
60; quotactl_fd 443 443; read 0 63; readahead 187 213; readlink 89 -; readlinkat 267 78; readv
19 65; reboot 169 142; recvfrom 45 207; recvmmsg 299 243; recvmsg 47 212; rename 82 -; renameat
264 38; renameat2 316 276; request_key 249 218; restart_syscall 219 128; rmdir 84 -; rseq 334
293; rt_sigaction 13 134; rt_sigpending 127 136; rt_sigprocmask 14 135; rt_sigqueueinfo 129 138;
rt_sigreturn 15 139; rt_sigsuspend 130 133; rt_sigtimedwait 128 137; rt_tgsigqueueinfo 297 240;
sched_get_priority_max 146 125; sched_get_priority_min 147 126; sched_getaffinity 204 123;
sched_getattr 315 275; sched_getparam 143 121; sched_getscheduler 145 120; sched_rr_get_interval
148 127; sched_setaffinity 203 122; sched_yield 24 124; select 23 -; sendfile 40 71; sendmmsg
307 269; sendmsg 46 211; sendto 44 206; set_robust_list 273 99; set_tid_address 218 96;
setitimer 38 103; setns 308 268; setpgid 109 154; setpriority 141 140; setrlimit 160 164; setsid
112 157; setsockopt 54 208; settimeofday 164 170; shutdown 48 210; sigaltstack 131 132; signalfd
282 -; signalfd4 289 74; socket 41 198; socketpair 53 199; splice 275 76; stat 4 -; statfs 137
43; statx 332 291; swapoff 168 225; swapon 167 224; symlink 88 -; symlinkat 266 36; sync 162 81;
sync_file_range 277 84; syncfs 306 267; sysinfo 99 179; tee 276 77; tgkill 234 131; time 201 -;
timer_create 222 107; timer_delete 226 111; timer_getoverrun 225 109; timer_gettime 224 108;
timer_settime 223 110; timerfd_create 283 85; timerfd_gettime 287 87; timerfd_settime 286 86;
times 100 153; tkill 200 130; truncate 76 45; umask 95 166; umount2 166 39; uname 63 160; unlink
87 -; unlinkat 263 35; unshare 272 97; userfaultfd 323 282; utime 132 -; utimensat 280 88;
utimes 235 -; vfork 58 -; wait4 61 260; waitid 247 95; write 1 64; writev 20 66
"""


def numbers(machine: str = MACHINE) -> dict[str, int]:
    """Give the numbers of the named calls that exist on an architecture."""
    column = {"x86_64": 1, "aarch64": 2}[machine]
    rows = (row.split() for row in _TABLE.split(";"))
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}
