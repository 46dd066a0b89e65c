/** Encodes fields as form bodies and query strings; fields without a value are left out. */

/** Values by field name; a list repeats the field. */
export type FormFields = Readonly<Record<string, string | readonly string[] | null | undefined>>

/** The encoded form or query. */
export function encodeForm(fields: FormFields): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) {
      form.append(name, each)
    }
  }
  return form.toString()
}
