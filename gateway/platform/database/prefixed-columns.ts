/** Writes a store's columns for statements written by hand, where Kysely's own names do not reach. */

/** Each column of the table with this alias, named as Kysely would name it: `c.partner_id as "partnerId"`. */
export function prefixedColumns(alias: string, columns: readonly string[]): string {
  return columns
    .map((column) => {
      const [name, as = name] = column.split(' as ')
      return `${alias}.${name} as "${as}"`
    })
    .join(', ')
}
