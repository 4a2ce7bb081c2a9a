"""Nano's tokenizer, in the Hugging Face format."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import json

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from webgym_nano import characters
from webgym_nano.characters import LOCATIONS, RESERVED, vocabulary


def build_tokenizer() -> Tokenizer:
    """Build a tokenizer with one token per character, and bytes for those without one. Decoding is lossless."""
    ids = vocabulary()
    tokenizer = Tokenizer(models.BPE(vocab=ids, merges=[], byte_fallback=True))
    # Nothing is ever merged, but without splits the cost of BPE would grow faster than the text.
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"\n|[^\n]{1,64}"), behavior="isolated")
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in list(ids)[:RESERVED]])
    # Not special: they are part of a reply's text.
    tokenizer.add_tokens([AddedToken(token, special=False, normalized=False) for token in LOCATIONS])
    return tokenizer


def tokenizer_settings() -> dict[str, object]:
    """Return `tokenizer_config.json`."""
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "pad_token": characters.END_OF_TEXT,
        "eos_token": characters.END_OF_TURN,
        "clean_up_tokenization_spaces": False,
        "model_max_length": 1_000_000,
        "padding_side": "left",
        "extra_special_tokens": {
            "image_token": characters.IMAGE_PAD,
            "video_token": characters.VIDEO_PAD,
            "vision_start_token": characters.VISION_START,
            "vision_end_token": characters.VISION_END,
        },
    }


def tokenizer_json() -> str:
    """Return `tokenizer.json`, the same on every machine."""
    return json.dumps(json.loads(build_tokenizer().to_str()), ensure_ascii=False, indent=1)
