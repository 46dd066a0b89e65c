/** Writes fields as forms and queries; those without a value are left out. */

/** Values by the provider's names; several of one name stand in a list. */
export type Fields = Readonly<Record<string, string | readonly string[] | null | undefined>>

/** The text of a form or a query. */
export function formText(fields: Fields): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) {
      form.append(name, each)
    }
  }
  return form.toString()
}
