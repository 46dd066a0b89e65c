/** Writes `models.py`: everything that partners send and receive. */
import type { Definition } from './model-definitions.ts'
import { HEADER } from './python-text.ts'

const IMPORTS = `from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal, TypeAlias, Union

from pydantic import AwareDatetime, BeforeValidator, Discriminator, Field, Tag

from ._wire import (
    SAME_NAMES,
    UNKNOWN,
    Amount,
    Model,
    NumericAmount,
    OpenEnum,
    RequestModel,
    UnknownEvent,
    UnknownVariant,
    alias,
    event_reader,
    tag_reader,
)`

export function modelsModule(definitions: readonly Definition[]): string {
  const names = definitions
    .map(({ name }) => name)
    .concat('Model', 'OpenEnum', 'RequestModel', 'UnknownEvent', 'UnknownVariant')
  return [
    '"""Everything that partners send and receive, as pydantic models."""',
    HEADER,
    IMPORTS,
    '',
    '__all__ = [',
    ...names.sort().map((name) => `    "${name}",`),
    ']',
    ...definitions.flatMap(({ lines }) => ['', '', ...lines]),
    '',
  ].join('\n')
}
