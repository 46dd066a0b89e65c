/** Formats a value of JSON for readers. */

/** Texts are as they are, lists and objects without quotes: `max: 5, modes: (bulk, file)`. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') {
    return value
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return JSON.stringify(value)
  }
  return Array.isArray(value)
    ? value.map(innerText).join(', ')
    : Object.entries(value)
        .map(([name, inner]) => `${name}: ${innerText(inner)}`)
        .join(', ')
}

function innerText(value: unknown): string {
  const isSimple = typeof value !== 'object' || value === null || Object.keys(value).length === 0
  return isSimple ? valueText(value) : `(${valueText(value)})`
}
