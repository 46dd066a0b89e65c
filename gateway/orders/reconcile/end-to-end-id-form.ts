/** Reduces endToEndIds to their form, which is different for entries on the account that others have ordered. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const SEPARATED = /([^\p{L}\p{N}]+)/u

/** The form of an id: `INV-2026-0042` becomes `INV-0-0`, a token of letters and digits `x`. */
export function endToEndIdForm(endToEndId: string): string {
  return UUID.test(endToEndId) ? 'uuid' : endToEndId.split(SEPARATED).map(formOfToken).join('')
}

function formOfToken(token: string): string {
  const [, prefix] = /^(\p{L}*)\d+$/u.exec(token) ?? []
  if (prefix !== undefined) {
    return `${prefix}0`
  }
  return /\d/.test(token) ? 'x' : token
}
