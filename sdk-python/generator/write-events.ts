/** Writes `_generated/events.py`: which model reads the body of which webhook event. */
import { typeBeginning } from './event-union.ts'
import type { Definitions } from './model-definitions.ts'
import type { OpenApiDocument } from './openapi-types.ts'
import { exploded, fitted, HEADER, literal } from './python-text.ts'

export function eventsModule({ webhooks, components }: OpenApiDocument, definitions: Definitions): string {
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
