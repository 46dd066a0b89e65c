/** Derives columns from the members of a domain type, so that a store lists its fields once (decision 0190). */
import type { ColumnType } from 'kysely'

/** The column of a member: `partner_id` of `partnerId`. */
export type ColumnName<Member extends string> = Member extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : ''

/** A value as statements write it: times, days and large numbers are texts, which PostgreSQL reads as the column's type. */
type Written<Value> = Value extends Temporal.Instant | Temporal.PlainDate | bigint ? string : Value

/** The table that stores these members; what may be null may be left out. */
export type TableOf<Members> = {
  [Member in keyof Members & string as ColumnName<Member>]: ColumnType<
    Members[Member],
    Written<Members[Member]> | (null extends Members[Member] ? undefined : never),
    Written<Members[Member]>
  >
}

const columnByMember = new Map<string, string>()

function columnName(member: string): string {
  return columnByMember.getOrInsertComputed(member, () =>
    member.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
  )
}

/** The columns of members, under the names of these, as Kysely selects them. */
export function columnsOf<const Members extends readonly string[]>(
  ...members: Members
): { readonly [Index in keyof Members]: `${ColumnName<Members[Index]>} as ${Members[Index]}` }
export function columnsOf(...members: readonly string[]): readonly string[] {
  return members.map((member) => `${columnName(member)} as ${member}`)
}

/** Members as a row of their columns. */
export function rowOf<const Members extends object>(
  members: Members,
): { [Member in keyof Members & string as ColumnName<Member>]: Written<Members[Member]> }
export function rowOf(members: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([member, value]) => {
      const isText =
        value instanceof Temporal.Instant || value instanceof Temporal.PlainDate || typeof value === 'bigint'
      return [columnName(member), isText ? String(value) : value]
    }),
  )
}

/** The member of a column: `partnerId` of `partner_id`. */
type MemberName<Column extends string> = Column extends `${infer Start}_${infer First}${infer Rest}`
  ? `${Start}${Uppercase<First>}${MemberName<Rest>}`
  : Column

/** A row of all columns as members. */
export function membersOf<Row extends object>(
  row: Row,
): { [Column in keyof Row & string as MemberName<Column>]: Row[Column] }
export function membersOf(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [memberName(column), value]))
}

const memberByColumn = new Map<string, string>()

function memberName(column: string): string {
  return memberByColumn.getOrInsertComputed(column, () =>
    column.replaceAll(/_(.)/g, (_match, first: string) => first.toUpperCase()),
  )
}
