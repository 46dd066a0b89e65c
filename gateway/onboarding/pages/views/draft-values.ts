/** Reads drafts, which hold whatever was typed in whatever shape an earlier release gave it. */

/** The members of a draft; undefined where there is none. */
export function draftOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined
}

/** The text, or the number as text, under a name; undefined where there is none. */
export function textIn(draft: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const value = draft?.[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

/** The answer to a question under a name; null where it was not answered. */
export function answerIn(draft: Readonly<Record<string, unknown>> | undefined, name: string): boolean | null {
  const value = draft?.[name]
  return typeof value === 'boolean' ? value : null
}

/** The rows of a list under a name. */
export function rowsIn(
  draft: Readonly<Record<string, unknown>> | undefined,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const value = draft?.[name]
  return Array.isArray(value) ? value.map((row) => draftOf(row) ?? {}) : []
}

/** The answer that a choice of `yes` and `no` sends; null for none. */
export function answerOf(text: string): boolean | null {
  return text === 'yes' ? true : text === 'no' ? false : null
}

/** What a choice of `yes` and `no` shows for an answer. */
export function choiceOf(answer: boolean | null): string {
  return answer === null ? '' : answer ? 'yes' : 'no'
}
