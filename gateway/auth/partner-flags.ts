/** Knows what partners have agreed on with us: what needs an agreement is refused to others. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import type { Partner } from './partner.ts'
import { findPartner, setPartnerFlag } from './partner-store.ts'

/** Bulk payrolls; registering companies for account information without onboarding. */
export const PARTNER_FLAGS = ['payrollBulk', 'aisRegistration'] as const
export type PartnerFlag = (typeof PARTNER_FLAGS)[number]

/** Whether the partner has agreed on it. */
export async function partnerMay(
  { database }: { readonly database: Queryable },
  partnerId: string,
  flag: PartnerFlag,
): Promise<boolean> {
  return (await findPartner(database, partnerId))?.[flag] === true
}

/** Notes an agreement or its end; false when it was so before. */
export async function changePartnerFlag(
  { database, clock }: Pick<Context, 'clock'> & { readonly database: Queryable },
  actor: string,
  partner: Partner,
  [flag, to]: readonly [flag: PartnerFlag, to: boolean],
): Promise<boolean> {
  return await atomically(database, async (within) => {
    const changed = await setPartnerFlag(within, partner.id, flag, to)
    if (changed) {
      const entry = { partnerId: partner.id, actor, action: `${flag} ${to ? 'allowed' : 'forbidden'}` }
      await writeAudit({ database: within, clock }, { ...entry, subject: ['partner', partner.id] })
    }
    return changed
  })
}
