"""Drawing: questions to a model, replies with what they cost; a server's fault is no reply."""

from anyofk.drawing.asking import Drawn, Patience
from anyofk.drawing.drawing import Drawing, Ended, Terms
from anyofk.drawing.models import fetch_model, fetchable_models, model_path
from anyofk.drawing.prompts import PromptTemplate, read_template
from anyofk.drawing.provider import (
    Abilities,
    Came,
    Choice,
    Provider,
    ProviderOptions,
    Question,
    Trouble,
    Usage,
)
from anyofk.drawing.sampling import SEED_POLICY, Sampling, dependence, seed_of
from anyofk.drawing.spending import Budget, Meter, Price

__all__ = [
    "SEED_POLICY",
    "Abilities",
    "Budget",
    "Came",
    "Choice",
    "Drawing",
    "Drawn",
    "Ended",
    "Meter",
    "Patience",
    "Price",
    "PromptTemplate",
    "Provider",
    "ProviderOptions",
    "Question",
    "Sampling",
    "Terms",
    "Trouble",
    "Usage",
    "dependence",
    "fetch_model",
    "fetchable_models",
    "model_path",
    "read_template",
    "seed_of",
]
