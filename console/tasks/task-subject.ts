/** Says in words what operator tasks are about: the bank, the amount and the receiver of an order, or the company. */
import type { Context } from '../../gateway/context.ts'
import { formatOrganisationNumber } from '../../gateway/countries/served-countries.ts'
import { type DealSummary, listDealSummaries } from '../../gateway/fx/deals/deal-rows.ts'
import { DealNotFound, requireInboundFunds } from '../../gateway/fx/deals/get-deal.ts'
import { listOnboardedCompanies, type OnboardedCompany } from '../../gateway/onboarding/onboarding-rows.ts'
import type { OperatorTask } from '../../gateway/operators/operator-task.ts'
import { listOrderSubjects, type OrderSubject } from '../../gateway/orders/views/order-subjects.ts'
import { formatCount, formatMoneyForReaders, orderedAmount } from '../markup/format-money.ts'
import { formatDay } from '../markup/format-time.ts'
import { subjectPath } from '../markup/subject-link.ts'
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

/** What is stored of a task's subject: an order, the deal of an exchange, an onboarding; nothing of inbound funds. */
type StoredSubject = {
  readonly order: OrderSubject | undefined
  readonly deal: DealSummary | undefined
  readonly company: OnboardedCompany | undefined
}

/** In the order of the tasks. */
export async function readTaskSubjects(
  context: Context,
  tasks: readonly SubjectKey[],
): Promise<readonly TaskSubject[]> {
  const { database } = context
  const keys = tasks.map(({ partnerId, subjectId: id }) => ({ partnerId, id }))
  const [deals, companies] = await Promise.all([
    listDealSummaries(database, keys),
    listOnboardedCompanies(database, keys),
  ])
  const dealOf = ({ subjectId }: SubjectKey) => deals.find(({ id }) => id === subjectId)
  // A deal is for a payment.
  const orderIds = tasks.map((task) => dealOf(task)?.paymentId ?? task.subjectId)
  const orders = await listOrderSubjects(
    database,
    keys.map(({ partnerId }, n) => ({ partnerId, id: orderIds[n] ?? '' })),
  )
  return await Promise.all(
    tasks.map((task, n) =>
      describeSubject(context, task, {
        order: orders.find(({ id }) => id === orderIds[n]),
        deal: dealOf(task),
        company: companies.find(({ id }) => id === task.subjectId),
      }),
    ),
  )
}

async function describeSubject(context: Context, task: SubjectKey, stored: StoredSubject): Promise<TaskSubject> {
  const { order } = stored
  const { bic = '', transactionCount, dueDate } = order ?? {}
  return {
    noun: NOUNS[task.subjectType] ?? task.subjectType,
    path: pathOf(task, order),
    bic,
    bankName: (bic === '' ? undefined : await context.banks.find(bic))?.name ?? bic,
    creditorName: order?.creditorName ?? '',
    amount: await amountOf(context, task, stored),
    transactions: transactionCount == null ? '' : formatCount(transactionCount),
    company: companyOf(stored),
    dueDate: dueDate === undefined ? '' : formatDay(dueDate),
  }
}

function companyOf({ order, company }: StoredSubject): string {
  const { organisationNumber, countryCode } = order ?? company ?? {}
  return [
    company?.organisationName,
    organisationNumber && formatOrganisationNumber(countryCode ?? '', organisationNumber),
  ]
    .filter(Boolean)
    .join(', ')
}

/** What was ordered; of a deal that has no payment, what it costs. Funds are of no partner until a deal takes them. */
async function amountOf(
  { database }: Context,
  { subjectType, subjectId }: SubjectKey,
  { order, deal }: StoredSubject,
): Promise<string> {
  if (subjectType === 'receipt') {
    return await amountOfFunds(database, subjectId)
  }
  const { amount, currency } = order ?? {}
  if (amount != null && currency != null) {
    return orderedAmount({ amount, currency })
  }
  return deal === undefined ? '' : formatMoneyForReaders(deal.cost)
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
function pathOf({ subjectType, subjectId }: SubjectKey, order: OrderSubject | undefined): string | undefined {
  if (subjectType === 'payment' && (order === undefined || order.payrollId !== null)) {
    return order === undefined ? undefined : `/console/payrolls/${order.payrollId}`
  }
  return subjectPath(subjectType, subjectId)
}
