/** Lists what can be found: sections of the guides, operations and error codes. */
import { ERROR_CATALOGUE } from '../../contract/errors/error-catalogue.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Guide } from '../guides/read-guides.ts'
import { describeSchema, type SchemaDescription } from '../reference/describe-schema.ts'
import { operationPath } from '../reference/operation-groups.ts'

/** A search result; its id is its URL. */
export type SearchDocument = {
  readonly id: string
  readonly title: string
  /** What it belongs to: the guide, the method and path, or the status. */
  readonly place: string
  readonly text: string
  /** Names that a developer copies from code: ids, fields and codes. */
  readonly names: string
}

const FIELD_DEPTH_MAX = 4

export function guideDocuments({
  path,
  title,
  rendered,
}: Pick<Guide, 'path' | 'title' | 'rendered'>): readonly SearchDocument[] {
  return rendered.passages
    .filter(({ heading }) => heading !== undefined)
    .map(({ heading, text }) => ({
      id: heading?.level === 1 ? path : `${path}#${heading?.id}`,
      title: heading?.title ?? title,
      place: heading?.level === 1 ? 'Guide' : title,
      text: text.trim(),
      names: '',
    }))
}

export function operationDocuments(served: readonly Operation[]): readonly SearchDocument[] {
  return served.map((operation) => ({
    id: operationPath(operation),
    title: operation.summary,
    place: `${operation.method} ${operation.path}`,
    text: operation.description ?? '',
    names: [
      operation.id,
      ...[operation.params, operation.query, operation.body].flatMap((schema) => namesOf(describeSchema(schema), 0)),
    ].join(' '),
  }))
}

export function errorDocuments(): readonly SearchDocument[] {
  return Object.entries(ERROR_CATALOGUE).map(([code, { statuses, meaning, cause, action }]) => ({
    id: `/docs/errors#${code}`,
    title: code,
    place: `Error ${statuses.join(', ')}`,
    text: `${meaning} ${cause} ${action}`,
    names: code,
  }))
}

function namesOf({ fields, variants }: SchemaDescription, depth: number): readonly string[] {
  const parts = [
    ...fields.map(({ name, inside }) => ({ name, inside })),
    ...variants.map(({ inside }) => ({ name: '', inside })),
  ]
  return depth > FIELD_DEPTH_MAX
    ? []
    : [...new Set(parts.flatMap(({ name, inside }) => [name, ...namesOf(inside, depth + 1)]))]
}
