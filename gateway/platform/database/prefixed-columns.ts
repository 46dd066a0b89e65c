/** Renders a store's columns for handwritten SQL, with the aliases that Kysely would use. */

/** Each column of the table with this alias, named as Kysely would name it: `c.partner_id as "partnerId"`. */
export function prefixedColumns(alias: string, columns: readonly string[]): string {
  return columns
    .map((column) => {
      const [name, as = name] = column.split(' as ')
      return `${alias}.${name} as "${as}"`
    })
    .join(', ')
}
