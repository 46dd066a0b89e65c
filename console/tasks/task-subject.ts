/** Says in words what operator tasks are about: the bank, the amount and the receiver of an order, or the company. */
import { sql } from 'kysely'
import type { Context } from '../../gateway/context.ts'
import { formatOrganisationNumber } from '../../gateway/countries/organisation-number.ts'
import { DealNotFound, requireInboundFunds } from '../../gateway/fx/deals/get-deal.ts'
import type { OperatorTask } from '../../gateway/operators/operator-task.ts'
import { formatCount, formatMoneyForReaders } from '../markup/format-money.ts'
import { formatDay } from '../markup/format-time.ts'
import { subjectPath } from '../markup/subject-link.ts'
import { orderedAmount } from '../payments/ordered-amount.ts'
import { CONSOLE_CATALOGUE } from '../texts/console-texts.ts'

/** Texts, empty where they do not apply or Havn does not know them. Operators see no amount of a payroll. */
export type TaskSubject = {
  /** For example `Payroll`. */
  readonly noun: string
  /** Its page, where it has one. */
  readonly path: string | undefined
  readonly bic: string
  readonly bankName: string
  readonly creditorName: string
  readonly amount: string
  /** Of a payroll. */
  readonly transactions: string
  /** Its name, where Havn knows it, and its number. */
  readonly company: string
  readonly dueDate: string
}

const NOUNS: Readonly<Record<string, string>> = CONSOLE_CATALOGUE.subjects

type SubjectKey = Pick<OperatorTask, 'partnerId' | 'subjectType' | 'subjectId'>

type StoredSubject = {
  readonly id: string
  readonly isPayment: boolean
  readonly payrollId: string | null
  readonly transactionCount: number | null
  readonly bic: string | null
  readonly dueDate: Temporal.PlainDate | null
  readonly countryCode: string | null
  readonly organisationNumber: string | null
  readonly organisationName: string | null
  readonly creditorName: string | null
  readonly amount: string | null
  readonly currency: string | null
  readonly costMinor: bigint | null
  readonly costCurrency: string | null
}

/** In the order of the tasks. */
export async function readTaskSubjects(
  context: Context,
  tasks: readonly SubjectKey[],
): Promise<readonly TaskSubject[]> {
  const byId = new Map((await selectSubjects(context, tasks)).map((stored) => [stored.id, stored]))
  return await Promise.all(tasks.map((task) => describeSubject(context, task, byId.get(task.subjectId))))
}

/** A deal is for a payment, an order of a payroll for its payroll; an order of a payroll names no amount and no receiver. */
async function selectSubjects({ database }: Context, tasks: readonly SubjectKey[]): Promise<readonly StoredSubject[]> {
  const [partnerIds, ids] = [tasks.map(({ partnerId }) => partnerId), tasks.map(({ subjectId }) => subjectId)]
  const { rows } = await sql<StoredSubject>`
    select t.id, p.id is not null and p.payroll_id is null as "isPayment", r.id as "payrollId",
      r.transaction_count as "transactionCount", coalesce(p.bic, r.bic) as bic,
      coalesce(p.due_date, r.due_date) as "dueDate",
      coalesce(p.country_code, r.country_code, b.country_code) as "countryCode",
      coalesce(p.organisation_number, r.organisation_number, b.organisation_number) as "organisationNumber",
      b.organisation_name as "organisationName",
      p.ordered::json -> 'to' -> 'contactInformation' ->> 'name' as "creditorName",
      p.ordered::json -> 'amount' ->> 'amount' as amount, p.ordered::json -> 'amount' ->> 'currency' as currency,
      d.cost_minor as "costMinor", d.cost_currency as "costCurrency"
    from unnest(${partnerIds}::uuid[], ${ids}::uuid[]) as t (partner_id, id)
    left join fx_deals d on d.partner_id = t.partner_id and d.id = t.id
    left join payments p on p.partner_id = t.partner_id and p.id = coalesce(d.payment_id, t.id)
    left join payrolls r on r.partner_id = t.partner_id and r.id = coalesce(p.payroll_id, t.id)
    left join onboardings b on b.partner_id = t.partner_id and b.id = t.id`.execute(database.query)
  return rows
}

async function describeSubject(
  context: Context,
  task: SubjectKey,
  stored: StoredSubject | undefined,
): Promise<TaskSubject> {
  const bic = stored?.bic ?? ''
  const { organisationName, organisationNumber, countryCode, transactionCount } = stored ?? {}
  return {
    noun: NOUNS[task.subjectType] ?? task.subjectType,
    path: pathOf(task, stored),
    bic,
    bankName: (bic === '' ? undefined : await context.banks.find(bic))?.name ?? bic,
    creditorName: stored?.creditorName ?? '',
    amount: await amountOf(context, task, stored),
    transactions: transactionCount == null ? '' : formatCount(transactionCount),
    company: [organisationName, organisationNumber && formatOrganisationNumber(countryCode ?? '', organisationNumber)]
      .filter(Boolean)
      .join(', '),
    dueDate: stored?.dueDate == null ? '' : formatDay(stored.dueDate),
  }
}

/** What was ordered; of a deal that has no payment, what it costs. Funds are of no partner until a deal takes them. */
async function amountOf(
  { database }: Context,
  { subjectType, subjectId }: SubjectKey,
  stored: StoredSubject | undefined,
): Promise<string> {
  if (subjectType === 'receipt') {
    return await amountOfFunds(database, subjectId)
  }
  const { amount, currency, costMinor, costCurrency } = stored ?? {}
  if (amount != null && currency != null) {
    return orderedAmount({ amount, currency })
  }
  return costMinor == null || costCurrency == null
    ? ''
    : formatMoneyForReaders({ minor: costMinor, currency: costCurrency })
}

/** Empty for funds that the provider describes in a way that Havn cannot read. */
async function amountOfFunds(database: Context['database'], id: string): Promise<string> {
  try {
    return formatMoneyForReaders((await requireInboundFunds(database, id)).amount)
  } catch (error) {
    if (error instanceof DealNotFound) {
      return ''
    }
    throw error
  }
}

/** Orders of payrolls are on the page of their payroll. */
function pathOf({ subjectType, subjectId }: SubjectKey, stored: StoredSubject | undefined): string | undefined {
  if (subjectType === 'payment' && stored?.isPayment !== true) {
    return stored?.payrollId == null ? undefined : `/console/payrolls/${stored.payrollId}`
  }
  return subjectPath(subjectType, subjectId)
}
