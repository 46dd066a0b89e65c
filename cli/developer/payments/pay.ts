/** `havn pay`: initiates a domestic payment from the options, and says what to do next. */
import { createHash, randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { Account } from '../../../contract/accounts.ts'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import { HavnConnectionError, HavnResponseError, HavnServerError } from '../../../sdk/index.ts'
import { CommandError, commandErrorOf } from '../command-error.ts'
import { developerCommand, simulateOption, withConsentOptions } from '../command-options.ts'
import { chooseAccount } from '../consents/choose-account.ts'
import { acceptedConsents, type ConsentOptions } from '../consents/choose-consent.ts'
import { simulateConsent, startConsent } from '../consents/create-consent.ts'
import { bankDay, type Connection, type Context } from '../context.ts'
import { approvePayment, type SimulatedDecision } from './approve.ts'

export type PayOptions = ConsentOptions & {
  readonly to: string
  readonly amount: string
  readonly name: string
  readonly account?: string
  readonly dueDate?: string
  readonly message?: string
  readonly reference?: string
  readonly endToEndId?: string
  readonly idempotencyKey?: string
  readonly simulate?: SimulatedDecision
  readonly user?: string
}

const END_TO_END_ID_DIGITS = 18

export async function pay(context: Context, options: PayOptions): Promise<void> {
  const connection = await context.connect()
  const consentOptions = await withConsent(context, connection, options)
  const { consent, account } = await chooseAccount(context, connection, consentOptions, 'PAYMENT_DOMESTIC')
  const { idempotencyKey = randomUUID() } = options
  const body = await orderOf(connection, account, { endToEndId: endToEndIdOf(idempotencyKey), ...options })
  const { paymentId, warnings = [] } = await initiate(context, connection, consent.id, { idempotencyKey, body })
  for (const { code, reason } of warnings) {
    context.output.note(`Warning ${code}${reason === undefined ? '' : `: ${reason}`}`)
  }
  if (options.simulate !== undefined) {
    await approvePayment(context, connection, [paymentId], { ...options, consent: consent.id })
    return
  }
  const { amount, currency } = body.amount
  context.output.result(
    { paymentId, consentId: consent.id, endToEndId: body.metadata.endToEndId, warnings },
    `Payment ${paymentId}: ${amount} ${currency} from ${account.bban} to ${options.to}, due ${body.dueDate}.\n` +
      `It is not signed yet: no money moves.\nNext: havn approve ${paymentId}`,
  )
}

/** With `--simulate`, a sandbox in which there is no consent yet gets one. */
async function withConsent(context: Context, connection: Connection, options: PayOptions): Promise<PayOptions> {
  const isMissing =
    options.simulate !== undefined &&
    options.consent === undefined &&
    (await acceptedConsents(connection, options)).length === 0
  if (!isMissing) {
    return options
  }
  const { id } = await startConsent(context, connection, options)
  await simulateConsent(connection, id, 'sign')
  return { ...options, consent: id }
}

const MAY_BE_ORDERED = [HavnConnectionError, HavnResponseError, HavnServerError]

/**
 * The gateway may have the payment although it did not say so, also after Ctrl-C: the error has the key with which it is
 * ordered once.
 */
async function initiate(
  { signal }: Context,
  { havn, psu }: Connection,
  consentId: string,
  order: { readonly idempotencyKey: string; readonly body: DomesticPayment },
): ReturnType<Connection['havn']['initiateDomesticPayment']> {
  try {
    return await havn.initiateDomesticPayment({ consentId, psu, signal, ...order })
  } catch (error) {
    if (error !== signal.reason && !MAY_BE_ORDERED.some((errorClass) => error instanceof errorClass)) {
      throw error
    }
    const { idempotencyKey } = order
    const { reason, message, details } = commandErrorOf(error, signal.aborted)
    throw new CommandError(reason, `${message}. The payment may have been ordered`, {
      next: `the same command again with --idempotency-key ${idempotencyKey}, which orders nothing twice`,
      details: { ...details, idempotencyKey },
    })
  }
}

/** The same for the same key, under which another body would be rejected. */
function endToEndIdOf(idempotencyKey: string): string {
  return `havn-${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, END_TO_END_ID_DIGITS)}`
}

async function orderOf(
  connection: Connection,
  account: Account,
  options: PayOptions & { readonly endToEndId: string },
): Promise<DomesticPayment> {
  const { organizationNumber, currency, country } = account
  const company = (await connection.havn.listCompanies()).find((each) => each.organizationNumber === organizationNumber)
  const remittance = remittanceOf(options)
  return {
    metadata: { endToEndId: options.endToEndId },
    from: {
      account: { type: 'bban', bban: account.bban },
      contactInformation: { name: company?.name ?? account.ownerName ?? organizationNumber },
      currency,
      organizationNumber,
    },
    to: { account: { type: 'bban', bban: options.to }, contactInformation: { name: options.name } },
    amount: { amount: options.amount.replace(',', '.'), currency },
    dueDate: options.dueDate ?? (await bankDay(connection, country)).toString(),
    ...(remittance === undefined ? {} : { remittanceInformation: remittance }),
  }
}

function remittanceOf({ message, reference }: PayOptions): DomesticPayment['remittanceInformation'] {
  if (message !== undefined && reference !== undefined) {
    throw new CommandError('invalid', 'A payment has either --message or --reference')
  }
  if (reference !== undefined) {
    return { type: 'ocr', value: reference }
  }
  return message === undefined ? undefined : { type: 'message', value: message }
}

export function declarePay(command: Command): void {
  withConsentOptions(
    developerCommand(command, pay, [
      'havn pay --to 80501200011 --name "Granli Trelast AS" --amount 1250.00 --message "Faktura 20455"',
      [
        'havn pay --bank FJORNO22 --account 80501100017 --to 80501200011 --name "Granli Trelast AS" --amount 10 --simulate sign',
        'in a sandbox: consent, payment and approval without a browser',
      ],
    ]),
  )
    .requiredOption('--to <account>', 'the account of the receiver: BBAN, or a giro number')
    .requiredOption('--name <name>', 'the name of the receiver')
    .requiredOption('--amount <amount>', 'for example 1250.00, in the currency of the account')
    .option('--account <number>', 'the account to pay from; by default the only one, asked for on a terminal')
    .option('--due-date <day>', 'for example 2026-11-30; by default today at the bank')
    .option('--message <text>', 'the message to the receiver')
    .option('--reference <reference>', 'KID, OCR or viitenumero, in place of a message')
    .option('--end-to-end-id <id>', 'your identification of the payment; by default one made of the idempotency key')
    .option('--idempotency-key <key>', 'makes a repetition of this command safe; by default a random one')
    .option('--user <id>', 'with --simulate: who gives the consent and signs')
    .addOption(simulateOption())
}
