/** What the triggers work with: a sandbox, its clock, and the consent of the demo company. */
import { bic, organizationNumber, userId } from '../../../../contract/examples/demo-fixture.ts'
import { moveClock } from '../../../../sdk/index.ts'
import { CommandError } from '../../command-error.ts'
import { acceptedConsents } from '../../consents/choose-consent.ts'
import { type Connection, type Context, requireSandbox } from '../../context.ts'

/** A longer move of the clock must be allowed. */
const UNASKED_HOURS_MAX = 24

/** What an event is about, for example `{ paymentId }`. */
export type Subject = Readonly<Record<string, string>>

/** A bank with a user who may pay from the accounts of the demo company. */
export type BankOfTriggers = { readonly bic: string; readonly userId: string }

export type TriggerStage = Connection & {
  /** Prints what was done. */
  note(text: string): void
  /** Moves business time, and waits until what was due meanwhile is done. */
  pass(move: { readonly advance: string } | { readonly set: string }): Promise<void>
  /** An accepted consent of the demo company at a bank, by default Fjordbanken; it is created when there is none. */
  consentId(bank?: BankOfTriggers): Promise<string>
}

export type PossibleTrigger = {
  /** What happens, in one line. */
  readonly how: string
  /** By how much business time moves, where that is more than a day. */
  readonly longMove?: string
  /** Does it, and returns what the event is about. */
  readonly run: (stage: TriggerStage) => Promise<Subject>
  /** Undoes what would disturb other commands. */
  readonly cleanUp?: (stage: TriggerStage, subject: Subject) => Promise<unknown>
}

/** An event type that no request of a partner leads to. */
export type ImpossibleTrigger = { readonly reason: string }

export type Trigger = PossibleTrigger | ImpossibleTrigger

/** Opens the sandbox of a connection. Throws for production. */
export function openStage(
  { output }: Context,
  connection: Connection,
  { mayMoveFar }: { readonly mayMoveFar: boolean },
): TriggerStage {
  requireSandbox(connection, 'havn trigger')
  const { havn } = connection
  const stage: TriggerStage = {
    ...connection,
    note: output.note,
    pass: async (move) => {
      const from = Temporal.Instant.from((await havn.getSandboxClock()).now)
      const to = 'set' in move ? Temporal.Instant.from(move.set) : from.add(move.advance)
      if (!mayMoveFar && from.until(to).total('hours') > UNASKED_HOURS_MAX) {
        throw farMoveError(`to ${to.toString()}`)
      }
      const { now } = await moveClock(havn, move)
      output.note(`Moved the clock to ${now}`)
    },
    consentId: (bank = { bic, userId }) => demoConsentId(stage, bank),
  }
  return stage
}

/** The error of a move by more than a day that was not allowed; `how` says by how much, or to which time. */
export function farMoveError(how: string): CommandError {
  const message = `This moves the clock of the sandbox ${how}, for all that is in it; only a reset moves it back`
  return new CommandError('invalid', message, { next: 'the same command with --move-clock' })
}

async function demoConsentId(stage: TriggerStage, bank: BankOfTriggers): Promise<string> {
  const { havn, psu, callbackUrl, note } = stage
  await requireDemoCompany(stage)
  const [existing] = await acceptedConsents(stage, { bank: bank.bic, company: organizationNumber })
  if (existing !== undefined) {
    return existing.id
  }
  const { id } = await havn.createConsent({ psu, body: { ...bank, organizationNumber, callbackUrl } })
  await havn.decideSandboxConsent({ params: { consentId: id, decision: 'sign' }, body: {} })
  note(`Created consent ${id} at ${bank.bic}`)
  return id
}

/** Throws when the partner does not act for the company whose accounts and users the triggers use. */
export async function requireDemoCompany({ havn }: Pick<Connection, 'havn'>): Promise<void> {
  const companies = await havn.listCompanies()
  if (!companies.some((company) => company.organizationNumber === organizationNumber)) {
    throw new CommandError('invalid', `You do not act for company ${organizationNumber}, whose accounts this uses`, {
      next: 'havn login with the credentials of the demo partner, which npm start prints',
    })
  }
}
