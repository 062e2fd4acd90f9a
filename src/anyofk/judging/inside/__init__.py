"""What runs in the jail: bodies of jobs, on the candidate's side and on the checker's."""
