/** Restricts queries over partners to those that their caller may see. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** The condition on the table of partners, which the query calls `o`; null sees all of them. */
export function partnerListFilter(partnerId: string | null): RawBuilder<SqlBool> {
  return partnerId === null ? sql<SqlBool>`true` : sql<SqlBool>`o.id = ${partnerId}::uuid`
}
