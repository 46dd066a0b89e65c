/** Accepts an onboarding: the company may pay from then on, and other onboardings of it come to nothing, all at once. */

import { type Company, fittingCompanyName, mayPay } from '../companies/company.ts'
import { insertCompany, lockCompany, updateCompany } from '../companies/company-store.ts'
import type { Context } from '../context.ts'
import { settleTask } from '../operators/raise-task.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/ids.ts'
import type { Onboarding } from './onboarding.ts'
import { lockOpenOnboardingsOf, moveOnboarding } from './onboarding-store.ts'
import { noteMove } from './record-onboarding-transition.ts'

type Surroundings = Pick<Context, 'clock'> & { readonly database: Queryable }

/** Accepts within the caller's transaction; false when it is not in this status any more, or the company can pay already. */
export async function acceptWithin(
  surroundings: Surroundings,
  actor: string,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'status' | 'countryCode' | 'organisationNumber'>,
  name: string,
): Promise<boolean> {
  const { database, clock } = surroundings
  const at = clock.now()
  const open = await lockOpenOnboardingsOf(database, onboarding)
  const own = open.find(({ id }) => id === onboarding.id)
  const company = await lockCompany(database, onboarding)
  if (own?.status !== onboarding.status || (company !== undefined && mayPay(company))) {
    return false
  }
  const accepted = { status: 'Accepted', statusReason: null, at } as const
  if (!(await moveOnboarding(database, own, accepted))) {
    return false
  }
  await noteMove(surroundings, own, accepted, actor)
  await (company === undefined ? bringIn(surroundings, actor, own, name) : upgrade(surroundings, actor, own, company))
  for (const other of open.filter(({ id }) => id !== own.id)) {
    const cancelled = { status: 'Cancelled', statusReason: null, at } as const
    await moveOnboarding(database, other, cancelled)
    await noteMove(surroundings, other, cancelled, actor)
    const task = { kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId: other.id } as const
    await settleTask(surroundings, { ...task, partnerId: other.partnerId }, 'another onboarding of it was accepted')
  }
  return true
}

async function bringIn(
  surroundings: Surroundings,
  actor: string,
  { partnerId, id: onboardingId, countryCode, organisationNumber }: Onboarding,
  name: string,
): Promise<void> {
  const company: Company = {
    partnerId,
    id: newId(),
    countryCode,
    organisationNumber,
    name: fittingCompanyName(name),
    onboarded: true,
    activeSubscription: true,
    services: ['AIS', 'PIS'],
    internationalPayments: false,
    onboardingId,
  }
  if (!(await insertCompany(surroundings.database, company, surroundings.clock.now()))) {
    // Somebody registered it since it was looked for: everything is undone, and whoever asks again upgrades it.
    throw new Error(`The company ${countryCode} ${organisationNumber} came in by another way at the same time`)
  }
  const detail = { countryCode, organisationNumber, onboardingId, services: company.services }
  await note(surroundings, actor, company, { action: 'company added', detail })
}

async function upgrade(surroundings: Surroundings, actor: string, { id }: Onboarding, company: Company): Promise<void> {
  const to = { onboarded: true, services: ['AIS', 'PIS'], activeSubscription: true, onboardingId: id } as const
  await updateCompany(surroundings.database, company, to)
  await note(surroundings, actor, company, { action: 'company onboarded', detail: { onboardingId: id } })
}

async function note(
  surroundings: Surroundings,
  actor: string,
  { partnerId, id }: Company,
  what: { readonly action: string; readonly detail: Readonly<Record<string, unknown>> },
): Promise<void> {
  await writeAudit(surroundings, { partnerId, actor, subject: ['company', id], ...what })
}
