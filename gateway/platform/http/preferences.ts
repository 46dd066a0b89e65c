/** Parses the header `Prefer` (RFC 7240). */

/** A quoted string, a word, or a separator; whatever a quoted string lacks at its end, it ends with the header. */
const PART = /"(?:[^"\\]|\\.?)*"?|[^\s",;=]+|[,;=]/g

/**
 * The preferences by their name, in lower case like their values; those without a value and malformed ones have an empty
 * one. The first of a name counts, and parameters are ignored.
 */
export function preferencesIn(prefer: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>()
  let preference: string[] = []
  for (const part of [...([prefer ?? ''].flat().join(',').match(PART) ?? []), ',']) {
    if (part !== ',') {
      preference.push(part)
      continue
    }
    const [name = ''] = preference
    if (name !== '' && !preferences.has(name.toLowerCase())) {
      preferences.set(name.toLowerCase(), valueIn(preference))
    }
    preference = []
  }
  return preferences
}

function valueIn([, sign, value = '', next = ';']: readonly string[]): string {
  if (sign !== '=' || next !== ';') {
    return ''
  }
  return (value.startsWith('"') ? unquoted(value) : value).toLowerCase()
}

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/g, '$1')
}
