/** Forms Python names from those of the document. */

const KEYWORDS = new Set('from class global import in is not or and pass return with'.split(' '))

/** `endToEndId` → `end_to_end_id`; `from` → `from_`. */
export function snakeCase(name: string): string {
  const snake = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
  return KEYWORDS.has(snake) ? `${snake}_` : snake
}

/** `endToEndId` → `EndToEndId`. */
export function pascalCase(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** `InProgress` → `IN_PROGRESS`, `webhook.test` → `WEBHOOK_TEST`. */
export function constantCase(value: string): string {
  const words = snakeCase(value.replaceAll(/[^A-Za-z0-9]+/g, '_')).replace(/_$/, '')
  const name = /^[A-Z0-9_]+$/.test(value) ? value : words.toUpperCase()
  return /^[0-9]/.test(name) ? `VALUE_${name}` : name
}

/** The name on the wire that the client's models derive from a Python name; `_wire.py` does the same. */
export function wireName(name: string): string {
  return name.replace(/_$/, '').replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
