/** Every query on beneficiaries. */
import { type Selectable, sql } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import type { BooksTransaction } from '../context.ts'
import type { Parameters } from '../protocol/operation-call.ts'
import type { Page } from '../protocol/pagination.ts'
import type { BeneficiaryTable } from '../tables.ts'

export type Beneficiary = Selectable<BeneficiaryTable>
export type BeneficiaryDetails = Beneficiary['details']

/** Parameters that control the response rather than filter it. */
const NO_FILTERS = ['page', 'per_page', 'order', 'order_asc_desc', 'scope', 'on_behalf_of']

export async function insertBeneficiary(
  books: BooksTransaction,
  details: BeneficiaryDetails,
  at: Temporal.Instant,
): Promise<Beneficiary> {
  return await books
    .insertInto('beneficiaries')
    .values({ id: newId(), details: JSON.stringify(details), created_at: at.toString() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findBeneficiary(books: BooksTransaction, id: string): Promise<Beneficiary | undefined> {
  return await books.selectFrom('beneficiaries').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findBeneficiaries(
  books: BooksTransaction,
  parameters: Parameters,
  { number, size, isDescending }: Page,
): Promise<{ readonly rows: readonly Beneficiary[]; readonly total: number }> {
  let matching = books.selectFrom('beneficiaries')
  for (const [name, value] of Object.entries(parameters)) {
    if (!NO_FILTERS.includes(name)) {
      matching = matching.where(sql<boolean>`details ->> ${name} = ${value}`)
    }
  }
  const { count } = await matching.select(({ fn }) => fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('position', isDescending ? 'desc' : 'asc')
    .offset((number - 1) * size)
    .limit(size)
    .execute()
  return { rows, total: Number(count) }
}
