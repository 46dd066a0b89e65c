/** Leaves out the fields of an object that have no value: optional fields of our answers are absent, not null. */
export function presentFields<Fields extends Readonly<Record<string, unknown>>>(
  fields: Fields,
): { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(present) as { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> }
}
