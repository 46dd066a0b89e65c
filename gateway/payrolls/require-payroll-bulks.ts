/** Says whether bulks of payrolls may be ordered: what the bank offers, and what the partner has agreed on. */
import { partnerMay } from '../auth/partner-flags.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'

/** Bulks are for partners that have agreed on them; to others no bank takes any. Throws `UNSUPPORTED_PRODUCT_BY_BANK`. */
export async function requirePayrollBulks(
  context: Pick<Context, 'database'>,
  { partnerId }: { readonly partnerId: string },
  { name, profile }: Bank,
): Promise<void> {
  if (!profile.products.includes('PAYROLL_BULK')) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${name} takes no bulks of payrolls here; order each by itself`)
  }
  if (!(await partnerMay(context, partnerId, 'payrollBulk'))) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', 'Bulks of payrolls need an agreement with whoever runs this gateway')
  }
}
