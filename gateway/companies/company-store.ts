/** Every query on companies. */
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { rowQuery, rowStatement } from '../platform/database/coalesce.ts'
import { columnsOf, rowOf, type TableOf } from '../platform/database/columns.ts'
import type { Database } from '../platform/database/database.ts'
import { executePrepared, type Queryable } from '../platform/database/in-transaction.ts'
import { prefixedColumns } from '../platform/database/sql-fragments.ts'
import type { Company, CompanyChange } from './company.ts'

type Tables = {
  companies: TableOf<Company & { readonly createdAt: Temporal.Instant }>
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const COMPANY = columnsOf(
  'partnerId',
  'id',
  'countryCode',
  'organisationNumber',
  'name',
  'onboarded',
  'activeSubscription',
  'services',
  'internationalPayments',
  'onboardingId',
)

/** Adds a company; false when the partner has it already. */
export async function insertCompany(
  database: Queryable,
  company: Company,
  createdAt: Temporal.Instant,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(database)
    .insertInto('companies')
    .values(rowOf({ ...company, createdAt }))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export type CompanyNumber = Pick<Company, 'partnerId' | 'countryCode' | 'organisationNumber'>

/** The partner's company with this number. */
export async function findCompany(database: Queryable, number: CompanyNumber): Promise<Company | undefined> {
  return (await executePrepared(database, selectOne(database, number))).rows[0]
}

/** The same, with a row lock until the transaction ends. */
export async function lockCompany(database: Queryable, number: CompanyNumber): Promise<Company | undefined> {
  return await selectOne(database, number).forUpdate().executeTakeFirst()
}

/** Updates the given fields of a company. */
export async function updateCompany(
  database: Queryable,
  { partnerId, id }: Pick<Company, 'partnerId' | 'id'>,
  change: CompanyChange,
): Promise<void> {
  await tables(database)
    .updateTable('companies')
    .set(rowOf(change))
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}

/** The partner's companies by name. */
export async function listPartnerCompanies(database: Queryable, partnerId: string): Promise<readonly Company[]> {
  return await tables(database)
    .selectFrom('companies')
    .select(COMPANY)
    .where('partner_id', '=', partnerId)
    .orderBy('name')
    .orderBy('country_code')
    .orderBy('organisation_number')
    .execute()
}

/** Which of a partner's companies a search returns. */
export type CompanySearch = {
  readonly partnerId: string
  /** Spellings of one number; undefined for all companies. */
  readonly organisationNumbers: readonly string[] | undefined
  /** The last company of the page before. */
  readonly beforeId: string | undefined
}

/** The newest companies first, which is the order of their ids. */
export function companySearchQuery(
  database: Queryable,
  { partnerId, organisationNumbers, beforeId }: CompanySearch,
  limit: number,
): SelectQueryBuilder<Tables, 'companies', Company> {
  const ofPartner = tables(database).selectFrom('companies').select(COMPANY).where('partner_id', '=', partnerId)
  const numbered =
    organisationNumbers === undefined ? ofPartner : ofPartner.where('organisation_number', 'in', organisationNumbers)
  const before = beforeId === undefined ? numbered : numbered.where('id', '<', beforeId)
  return before.orderBy('id', 'desc').limit(limit)
}

function selectOne(database: Queryable, { partnerId, countryCode, organisationNumber }: CompanyNumber) {
  return tables(database)
    .selectFrom('companies')
    .select(COMPANY)
    .where('partner_id', '=', partnerId)
    .where('country_code', '=', countryCode)
    .where('organisation_number', '=', organisationNumber)
}

/** The companies with these numbers in the given order; null where there is none. */
export async function findCompanies(
  { pool }: Database<unknown>,
  numbers: readonly CompanyNumber[],
): Promise<readonly (Company | null)[]> {
  const { rows } = await pool.query<Company & { position: number }>(
    rowQuery(
      FIND_BY_NUMBERS,
      numbers.map(({ partnerId, countryCode, organisationNumber }, position) => ({
        position,
        partner_id: partnerId,
        country_code: countryCode,
        organisation_number: organisationNumber,
      })),
    ),
  )
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  return numbers.map((_, position) => byPosition.get(position) ?? null)
}

const FIND_BY_NUMBERS = rowStatement(
  'companies-by-number',
  { position: 'int', partner_id: 'uuid', country_code: 'text', organisation_number: 'text' },
  (numbers) => `with k ${numbers}
    select k.position, ${prefixedColumns('c', COMPANY)}
    from k join companies c on c.partner_id = k.partner_id and c.country_code = k.country_code
      and c.organisation_number = k.organisation_number`,
)
