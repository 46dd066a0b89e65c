/** `havn agreement`: creates, lists and ends companies' agreements with banks on file payments. */

import { requirePartner } from '../../gateway/auth/list-partners.ts'
import { endAgreement } from '../../gateway/consents/agreements/end-agreement.ts'
import { listAgreements } from '../../gateway/consents/agreements/list-agreements.ts'
import { registerAgreement } from '../../gateway/consents/agreements/register-agreement.ts'
import type { Context } from '../../gateway/context.ts'
import { readClock } from '../../gateway/platform/database/business-clock-store.ts'
import { parseDay } from '../../gateway/platform/time-format.ts'
import { findOperator } from './find-operator.ts'
import { printTable, type TableOptions } from './print-table.ts'
import { withGatewayContext } from './with-gateway-context.ts'

export type AgreementArguments = {
  readonly partner: string
  readonly bank: string
  readonly country: string
  readonly number: string
  readonly agreement: string
  readonly account: readonly string[]
  readonly until?: string
}

/** Creates an agreement and prints its id. */
export async function createAgreement(environment: NodeJS.ProcessEnv, typed: AgreementArguments): Promise<void> {
  await withBusinessClock(environment, async (context) => {
    const partner = await requirePartner(context, typed.partner)
    const id = await registerAgreement(context, (await findOperator(context, environment)).actor, {
      partnerId: partner.id,
      bic: typed.bank,
      countryCode: typed.country.trim().toUpperCase(),
      organisationNumber: typed.number,
      number: typed.agreement.trim(),
      accounts: typed.account,
      ...(typed.until === undefined ? {} : { until: dayOf(typed.until) }),
    })
    console.log(`${partner.name} may order payrolls in files. The consent-id is ${id}`)
  })
}

export async function printAgreements(
  environment: NodeJS.ProcessEnv,
  nameOrId: string,
  options: TableOptions,
): Promise<void> {
  await withBusinessClock(environment, async (context) => {
    const partner = await requirePartner(context, nameOrId)
    const rows = (await listAgreements(context, partner.id)).map((agreement) => [
      agreement.id,
      agreement.status,
      agreement.bic,
      `${agreement.countryCode} ${agreement.organisationNumber}`,
      agreement.number,
      agreement.accounts.map(({ bban, iban }) => bban ?? iban ?? ''),
      agreement.validUntil.toString(),
    ])
    const headings = ['id', 'status', 'bank', 'company', 'agreement', 'accounts', 'valid until']
    printTable({ headings, rows, whenEmpty: `${partner.name} has no agreement.` }, options)
  })
}

/** Ends an agreement, and prints whether that changed anything. */
export async function endAgreementCommand(environment: NodeJS.ProcessEnv, nameOrId: string, id: string): Promise<void> {
  await withBusinessClock(environment, async (context) => {
    const partner = await requirePartner(context, nameOrId)
    const ended = await endAgreement(context, (await findOperator(context, environment)).actor, {
      partnerId: partner.id,
      id,
    })
    console.log(ended ? 'The agreement is ended.' : 'The agreement had ended before.')
  })
}

/** Uses the business time that all programs share. */
async function withBusinessClock(
  environment: NodeJS.ProcessEnv,
  carryOut: (context: Context) => Promise<void>,
): Promise<void> {
  await withGatewayContext(environment, async (context) => {
    await readClock(context.database, context.clock)
    await carryOut(context)
  })
}

function dayOf(text: string): Temporal.PlainDate {
  const day = parseDay(text)
  if (day === undefined) {
    throw new Error(`${text} is not a date: use YYYY-MM-DD`)
  }
  return day
}
