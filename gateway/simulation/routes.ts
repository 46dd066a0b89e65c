/** Serves what only the sandbox has. */
import type { TObject } from 'typebox'
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import type { IdentityContext } from '../identity/identity-context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import type { SigningKindName, SigningKinds } from '../signing/signing.ts'
import type { Movable } from './advance-clock-in-steps.ts'
import { type ClockMoving, moveClock, showClock } from './move-clock.ts'
import type { ProgramControl, SandboxControl } from './sandbox-control.ts'
import { addEntry, disturbBank, endConsentAtBank, setPaymentStatus, stepPayment } from './simulate-bank-events.ts'
import { disturbProvider, sendToProvider, stepPayout } from './simulate-fx-provider-events.ts'
import { stepOnboarding } from './simulate-onboarding-step.ts'
import { playUser, type UserAct } from './simulate-user.ts'

/** What the sandbox's operations work with. */
export type Simulation = ClockMoving & { readonly kinds: SigningKinds }

export function serveSimulation<Consent>(
  serve: Serve<PartnerCaller, Consent>,
  context: Context & RegistryContext & IdentityContext,
  simulation: Simulation,
): void {
  serve(operations.getSandboxClock, () => showClock(context))
  serve(operations.moveSandboxClock, ({ body }) => moveClock(context, simulation, body))
  serve(operations.stepSandboxOnboarding, ({ caller, params, body }) =>
    stepOnboarding(context, caller, params.onboardingId, { ...body, step: params.step }),
  )
  serveUsers(serve, context, simulation)
  serveBanks(serve, context, simulation)
  serveProvider(serve, context, simulation)
}

function serveUsers<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context, simulation: Simulation): void {
  const play = ({ partnerId }: PartnerCaller, kind: SigningKindName, subjectId: string, act: UserAct) => {
    const tools = { bank: requireControl(simulation), kinds: simulation.kinds }
    return playUser(context, tools, { partnerId, kind, subjectId: subjectId.toLowerCase() }, act)
  }
  serve(operations.decideSandboxApproval, async ({ caller, params, body }) =>
    play(caller, 'approval', params.approvalId, {
      ...knownMembers(operations.decideSandboxApproval, body),
      decision: params.decision,
    }),
  )
  serve(operations.decideSandboxCancellation, async ({ caller, params, body }) =>
    play(caller, 'cancellation', params.cancellationId, {
      ...knownMembers(operations.decideSandboxCancellation, body),
      decision: params.decision,
    }),
  )
  serve(operations.decideSandboxConsent, async ({ caller, params, body }) =>
    play(caller, 'consent', params.consentId, {
      ...knownMembers(operations.decideSandboxConsent, body),
      decision: params.decision,
    }),
  )
}

function serveBanks<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context, simulation: Simulation): void {
  const bank = () => requireControl(simulation)
  serve(operations.stepSandboxPayment, ({ caller, params, body }) =>
    stepPayment(
      context,
      bank(),
      { ...caller, id: params.paymentId },
      { ...knownMembers(operations.stepSandboxPayment, body), step: params.step },
    ),
  )
  serve(operations.setSandboxPaymentStatus, ({ caller, params, body }) =>
    setPaymentStatus(context, bank(), { ...caller, id: params.paymentId }, body.transactionStatus),
  )
  serve(operations.endSandboxConsent, ({ caller, params, body }) =>
    endConsentAtBank(context, bank(), { ...caller, id: params.consentId }, body.how),
  )
  serve(operations.addSandboxEntry, ({ params, body }) =>
    addEntry(bank(), params.bban, knownMembers(operations.addSandboxEntry, body)),
  )
  serve(operations.disturbSandboxBank, ({ params, body }) => disturbBank(bank(), params.bic, body))
  serve(operations.healSandboxBanks, async () => {
    await simulation.provider?.heal()
    return await bank().heal()
  })
}

function serveProvider<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context, simulation: Simulation): void {
  const provider = () => requireProvider(simulation)
  serve(operations.disturbSandboxExchange, ({ body }) =>
    disturbProvider(provider(), knownMembers(operations.disturbSandboxExchange, body)),
  )
  serve(operations.stepSandboxPayout, ({ caller, params, body }) =>
    stepPayout(
      context,
      provider(),
      { ...caller, id: params.paymentId },
      { ...knownMembers(operations.stepSandboxPayout, body), step: params.step },
    ),
  )
  serve(operations.addSandboxArrival, ({ body }) =>
    sendToProvider(provider(), knownMembers(operations.addSandboxArrival, body)),
  )
}

/** Partners may send unknown members, which are ignored; control addresses refuse them. */
function knownMembers<Body extends object>(operation: { readonly body: TObject }, body: Body): Body {
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(operation.body.properties, name))
  // Without members that its type does not have, a body still is of its type.
  return Object.fromEntries(known) as Body
}

/** A gateway in sandbox mode may run without the sandbox bank, in tests of partners for example. */
function requireControl({ bank }: Pick<Movable, 'bank'>): SandboxControl {
  if (bank === null) {
    throw refuse('unavailable', 'No sandbox bank runs beside this gateway (HAVN_SANDBOX_BANK_URL is not set)')
  }
  return bank
}

/** Without one, nothing that needs exchange is offered anyway. */
function requireProvider({ provider }: Pick<Movable, 'provider'>): ProgramControl {
  if (provider === null) {
    throw refuse('unavailable', 'No provider of exchange runs beside this gateway (HAVN_SANDBOX_FX_URL is not set)')
  }
  return provider
}
