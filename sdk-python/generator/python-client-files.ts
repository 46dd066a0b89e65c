/** Generates the files of the Python client from the OpenAPI document. */
import { scopesByEnvironment } from '../../contract/environments.ts'
import { clientMethodsOf } from './client-methods.ts'
import { typeBeginning } from './event-union.ts'
import { collectDefinitions, type Definition, type Definitions } from './model-definitions.ts'
import type { OpenApiDocument } from './openapi-types.ts'
import { exploded, fitted, HEADER, literal } from './python-text.ts'
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

/** `_generated/events.py`: which model reads the body of which webhook event. */
function eventsModule({ webhooks, components }: OpenApiDocument, definitions: Definitions): string {
  const events = Object.entries(webhooks).map(([name, { post }]) => {
    const [content] = Object.values(post.requestBody?.content ?? {})
    return definitions.typeOf(content?.schema ?? {}, name)
  })
  const models = events.map((model) => `models.${model}`)
  return [
    '"""The webhook events of this version of the API."""',
    HEADER,
    'from typing import Final, TypeAlias, Union',
    '',
    'from .. import models',
    '',
    ...fitted('KnownEvent: TypeAlias = Union[', models, ']'),
    '"""The events that this client has a model for."""',
    '',
    ...exploded(
      'MODELS_BY_TYPE: Final[dict[str, type[KnownEvent]]] = {',
      events.map((model) => `${literal(typeBeginning(components.schemas, model))}: models.${model}`),
      '}',
    ),
    '"""By how the types of a family begin: newer ones of the family have the same fields."""',
    '',
  ].join('\n')
}
