/** Writes `_generated/events.py`: which model reads the body of which webhook event. */
import type { Definitions } from './model-definitions.ts'
import { type OpenApiDocument, referredName, type Schema } from './openapi-types.ts'
import { exploded, HEADER, literal } from './python-text.ts'

type EventModel = { readonly model: string; readonly types: readonly string[] }

export function eventsModule(document: OpenApiDocument, definitions: Definitions): string {
  const events = eventModelsOf(document, definitions)
  const models = events.map(({ model }) => `models.${model}`)
  return [
    '"""The webhook events of this version of the API."""',
    HEADER,
    'from typing import Final, TypeAlias, Union',
    '',
    'from .. import models',
    '',
    `KnownEvent: TypeAlias = Union[${models.join(', ')}]`,
    '"""The events that this client has a model for."""',
    '',
    ...exploded(
      'MODELS_BY_TYPE: Final[dict[str, type[KnownEvent]]] = {',
      events.flatMap(({ model, types }) => types.map((type) => `${literal(type)}: models.${model}`)),
      '}',
    ),
    '',
    ...exploded(
      'MODELS_BY_FAMILY: Final[dict[str, type[KnownEvent]]] = {',
      events.flatMap(({ model, types }) => familyOf(types).map((family) => `${literal(family)}: models.${model}`)),
      '}',
    ),
    '"""How the types of a family begin: newer ones of the family have the same fields."""',
    '',
  ].join('\n')
}

function eventModelsOf({ webhooks, components }: OpenApiDocument, definitions: Definitions): readonly EventModel[] {
  return Object.entries(webhooks).map(([name, { post }]) => {
    const [content] = Object.values(post.requestBody?.content ?? {})
    const model = definitions.typeOf(content?.schema ?? {}, name)
    const schema = components.schemas[referredName(content?.schema ?? {}) ?? '']
    return { model, types: typesOf(schema, components.schemas) }
  })
}

function typesOf(schema: Schema | undefined, schemas: OpenApiDocument['components']['schemas']): readonly string[] {
  const type = schema?.properties?.['type']
  const resolved = schemas[referredName(type ?? {}) ?? ''] ?? type
  return resolved?.enum ?? (typeof resolved?.const === 'string' ? [resolved.const] : [])
}

/** The common beginning of several types, up to its last underscore. */
function familyOf(types: readonly string[]): readonly string[] {
  const [first = '', ...rest] = types
  const words = first.split('_')
  const lengths = words.map((_, index) => words.slice(0, index + 1).join('_')).map((beginning) => `${beginning}_`)
  const shared = lengths.filter((beginning) => rest.length > 0 && types.every((type) => type.startsWith(beginning)))
  return shared.slice(-1)
}
