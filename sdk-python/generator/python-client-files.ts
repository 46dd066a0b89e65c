/** Generates the files of the Python client from the OpenAPI document. */
import { scopesByEnvironment } from '../../contract/environments.ts'
import { clientMethodsOf } from './client-methods.ts'
import { collectDefinitions, type Definition } from './model-definitions.ts'
import type { OpenApiDocument } from './openapi-types.ts'
import { HEADER } from './python-text.ts'
import { eventsModule } from './write-events.ts'
import { methodsModule } from './write-methods.ts'
import { operationsModule } from './write-operations.ts'

/** The text of each generated file by its path in `src/havn/`. */
export function pythonClientFiles(document: OpenApiDocument): Readonly<Record<string, string>> {
  const definitions = collectDefinitions(document)
  const methods = clientMethodsOf(document, definitions)
  const events = eventsModule(document, definitions)
  return {
    'models.py': modelsModule(definitions.all()),
    '_generated/operations.py': operationsModule(methods, scopesByEnvironment),
    '_generated/methods.py': methodsModule(methods, 'sync'),
    '_generated/async_methods.py': methodsModule(methods, 'async'),
    '_generated/events.py': events,
  }
}

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

/** `models.py`: everything that partners send and receive. */
function modelsModule(definitions: readonly Definition[]): string {
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
