/** Replaces body fields of the wrong type, so that business validation of other fields can read the body. */
import type { ValidationError } from '../errors/api-error.ts'

/** The body with an empty text for each object or list where its schema requires another type. */
export function replaceMistypedFields<Body>(body: Body, validationErrors: readonly ValidationError[]): Body {
  const paths = validationErrors.filter(({ isMistyped }) => isMistyped).map(({ path }) => namesIn(path))
  // The compiler cannot know that business validation reads invalid fields as texts, if at all.
  return paths.reduce<unknown>(withEmptyText, body) as Body
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\.([^.[]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? '')
}

function withEmptyText(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
    return value
  }
  const part: unknown = Reflect.get(value, name)
  const replaced = rest.length > 0 ? withEmptyText(part, rest) : typeof part === 'object' ? '' : part
  return Array.isArray(value) ? value.with(Number(name), replaced) : { ...value, [name]: replaced }
}
