/** Reads drafts defensively: earlier releases may have stored them in another shape. */

/** The fields of a draft; undefined when there is none. */
export function draftOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined
}

/** A field as text; undefined when it is neither a string nor a number. */
export function textIn(draft: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const value = draft?.[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

/** A yes/no field; null when it was not answered. */
export function answerIn(draft: Readonly<Record<string, unknown>> | undefined, name: string): boolean | null {
  const value = draft?.[name]
  return typeof value === 'boolean' ? value : null
}

/** The rows of a list field. */
export function rowsIn(
  draft: Readonly<Record<string, unknown>> | undefined,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const value = draft?.[name]
  return Array.isArray(value) ? value.map((row) => draftOf(row) ?? {}) : []
}

/** Parses a `yes`/`no` choice; null for none. */
export function answerOf(text: string): boolean | null {
  return text === 'yes' ? true : text === 'no' ? false : null
}

/** Formats an answer as a `yes`/`no` choice. */
export function choiceOf(answer: boolean | null): string {
  return answer === null ? '' : answer ? 'yes' : 'no'
}
