/** Reads JSON of unknown content. */

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that is a text; undefined when it is absent or something else. */
export function textOf(value: unknown, name: string): string | undefined {
  const found = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return typeof found === 'string' ? found : undefined
}
