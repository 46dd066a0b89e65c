/** Replaces members of a body that have another type than their schema says, so that rules on other members can read it. */
import type { Problem } from '../errors/api-error.ts'

/** The body with an empty text for each object or list where its schema wants something else. */
export function replaceMistypedMembers<Body>(body: Body, problems: readonly Problem[]): Body {
  const paths = problems.filter(({ isMistyped }) => isMistyped).map(({ path }) => namesIn(path))
  // The compiler cannot know that rules read members that are not sound as texts, if at all.
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
