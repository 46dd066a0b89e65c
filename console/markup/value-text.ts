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
        .map(([name, inner], index, { length }) => `${name}: ${index < length - 1 ? clause(inner) : innerText(inner)}`)
        .join(', ')
}

/** Without the full stop of a sentence, as another one follows. */
function clause(value: unknown): string {
  return innerText(value).replace(/\.$/, '')
}

function innerText(value: unknown): string {
  const isSimple = typeof value !== 'object' || value === null || Object.keys(value).length === 0
  return isSimple ? valueText(value) : `(${valueText(value)})`
}
