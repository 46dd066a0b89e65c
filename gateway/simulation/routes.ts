/** Serves the sandbox operations. */
import type { TObject } from 'typebox'
import { operations } from '../../contract/operations.ts'
import type { SandboxDecision, SandboxUser } from '../../contract/sandbox/sandbox-bank.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { ScaSubjectType } from '../authorisations/sca-session.ts'
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import type { ClockMoveParticipants } from './advance-clock-in-steps.ts'
import { getSandboxClock, moveClock } from './move-clock.ts'
import type { ProgramControl } from './sandbox-control.ts'
import {
  injectBankFault,
  simulateBooking,
  simulateConsentEnd,
  simulatePaymentStatus,
  simulatePaymentStep,
} from './simulate-bank-events.ts'
import { injectFxProviderFault, simulateIncomingFunds, simulatePayoutStep } from './simulate-fx-provider-events.ts'
import { simulateOnboardingStep } from './simulate-onboarding-step.ts'
import { simulateUser } from './simulate-user.ts'
import { requireSandboxBank, type Simulation } from './simulation.ts'

export function serveSimulation<Consent>(
  serve: Serve<PartnerCaller, Consent>,
  context: Context,
  simulation: Simulation,
): void {
  serve(operations.getSandboxClock, () => getSandboxClock(context))
  serve(operations.moveSandboxClock, ({ body }) => moveClock(context, simulation, body))
  serve(operations.stepSandboxOnboarding, ({ caller, params, body }) =>
    simulateOnboardingStep(context, caller, params.onboardingId, { ...body, step: params.step }),
  )
  serveUsers(serve, context, simulation)
  serveBanks(serve, context, simulation)
  serveProvider(serve, context, simulation)
}

/** A user's decision, on whatever it is. */
type DecisionRequest = {
  readonly caller: PartnerCaller
  readonly params: { readonly decision: SandboxDecision }
  readonly body: SandboxUser
}

function serveUsers<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context, simulation: Simulation): void {
  const play = async (kind: ScaSubjectType, id: string, { caller, params, body }: DecisionRequest) => {
    const tools = { bank: requireSandboxBank(simulation), kinds: simulation.kinds }
    const act = { ...knownMembers(operations.decideSandboxApproval, body), decision: params.decision }
    return await simulateUser(context, tools, { partnerId: caller.partnerId, kind, subjectId: id.toLowerCase() }, act)
  }
  serve(operations.decideSandboxApproval, (request) => play('approval', request.params.approvalId, request))
  serve(operations.decideSandboxCancellation, (request) => play('cancellation', request.params.cancellationId, request))
  serve(operations.decideSandboxConsent, (request) => play('consent', request.params.consentId, request))
}

function serveBanks<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context, simulation: Simulation): void {
  const bank = () => requireSandboxBank(simulation)
  serve(operations.stepSandboxPayment, ({ caller, params, body }) =>
    simulatePaymentStep(
      context,
      bank(),
      { ...caller, id: params.paymentId },
      { ...knownMembers(operations.stepSandboxPayment, body), step: params.step },
    ),
  )
  serve(operations.setSandboxPaymentStatus, ({ caller, params, body }) =>
    simulatePaymentStatus(
      context,
      bank(),
      { ...caller, id: params.paymentId },
      knownMembers(operations.setSandboxPaymentStatus, body),
    ),
  )
  serve(operations.endSandboxConsent, ({ caller, params, body }) =>
    simulateConsentEnd(context, bank(), { ...caller, id: params.consentId }, body.how),
  )
  serve(operations.addSandboxEntry, ({ params, body }) =>
    simulateBooking(bank(), params.bban, knownMembers(operations.addSandboxEntry, body)),
  )
  serve(operations.disturbSandboxBank, async ({ params, body }) => {
    const found = await context.banks.find(params.bic)
    if (found === undefined) {
      throw apiError('not-found', 'There is no bank with this BIC')
    }
    return await injectBankFault(bank(), found.bic, body)
  })
  serve(operations.healSandboxBanks, async () => {
    await simulation.provider?.clearFaults()
    return await bank().clearFaults()
  })
}

function serveProvider<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context, simulation: Simulation): void {
  const provider = () => requireProvider(simulation)
  serve(operations.disturbSandboxExchange, ({ body }) =>
    injectFxProviderFault(provider(), knownMembers(operations.disturbSandboxExchange, body)),
  )
  serve(operations.stepSandboxPayout, ({ caller, params, body }) =>
    simulatePayoutStep(
      context,
      provider(),
      { ...caller, id: params.paymentId },
      { ...knownMembers(operations.stepSandboxPayout, body), step: params.step },
    ),
  )
  serve(operations.addSandboxArrival, ({ body }) =>
    simulateIncomingFunds(provider(), knownMembers(operations.addSandboxArrival, body)),
  )
}

/** Partners may send unknown fields, which are ignored; control endpoints reject them. */
function knownMembers<Body extends object>(operation: { readonly body: TObject }, body: Body): Body {
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(operation.body.properties, name))
  // A body without unknown fields still has its type.
  return Object.fromEntries(known) as Body
}

/** Without an FX provider, no FX is offered anyway. */
function requireProvider({ provider }: Pick<ClockMoveParticipants, 'provider'>): ProgramControl {
  if (provider === null) {
    throw apiError('unavailable', 'This gateway runs without an FX provider (HAVN_SANDBOX_FX_URL is not set)')
  }
  return provider
}
