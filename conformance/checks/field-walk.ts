/** Walks the fields of a request by its schema, and builds requests with one mistake each. */
import type { TSchema } from 'typebox'

/** A field of a body. */
export type BodyField = {
  readonly path: readonly (string | number)[]
  /** As errors name it: `.transactions[0].amount`. */
  readonly name: string
  readonly isRequired: boolean
  readonly isObject: boolean
}

type SchemaParts = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
}

/** The fields that a valid body has, at any depth; unions are not entered, since their errors are those of a branch. */
export function fieldsOf(schema: TSchema, body: unknown, path: BodyField['path'] = []): readonly BodyField[] {
  const { properties = {}, required = [], items }: SchemaParts = schema
  if (Array.isArray(body)) {
    return items === undefined || body.length === 0 ? [] : fieldsOf(items, body[0], [...path, 0])
  }
  return Object.entries(properties)
    .filter(([name]) => Object.hasOwn(Object(body), name))
    .flatMap(([name, member]) => {
      const here = [...path, name]
      const field = { path: here, name: nameOf(here), isRequired: required.includes(name), isObject: isObject(member) }
      return [field, ...fieldsOf(member, Object(body)[name], here)]
    })
}

function isObject({ type, oneOf }: SchemaParts & { readonly oneOf?: unknown }): boolean {
  return type === 'object' || oneOf !== undefined
}

/** The body without a field. */
export function withoutField(body: unknown, path: BodyField['path']): unknown {
  return changed(body, path, (parent, name) => {
    delete parent[name]
  })
}

/** The body with another value in a field. */
export function withField(body: unknown, path: BodyField['path'], value: unknown): unknown {
  return changed(body, path, (parent, name) => {
    parent[name] = value
  })
}

function changed(
  body: unknown,
  path: BodyField['path'],
  change: (parent: Record<string, unknown>, name: string) => void,
): unknown {
  const copy: unknown = structuredClone(body)
  const parent = path.slice(0, -1).reduce<unknown>((value, name) => Object(value)[name], copy)
  change(Object(parent), String(path.at(-1)))
  return copy
}

function nameOf(path: BodyField['path']): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
}
