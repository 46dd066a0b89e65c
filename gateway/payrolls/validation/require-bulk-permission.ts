/** Checks that the bank accepts bulks of payrolls and that the partner has the permission to order them. */
import { hasPartnerPermission } from '../../auth/partner-permissions.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'

/** Throws `UNSUPPORTED_PRODUCT_BY_BANK`, for a missing permission, too. */
export async function requirePayrollBulkPermission(
  context: Pick<Context, 'database'>,
  { partnerId }: { readonly partnerId: string },
  { name, profile }: Bank,
): Promise<void> {
  if (!profile.products.includes('PAYROLL_BULK')) {
    throw apiError(
      'UNSUPPORTED_PRODUCT_BY_BANK',
      `${name} does not accept bulks of payrolls here; order each payroll separately`,
    )
  }
  if (!(await hasPartnerPermission(context, partnerId, 'payrollBulk'))) {
    throw apiError(
      'UNSUPPORTED_PRODUCT_BY_BANK',
      'Bulks of payrolls require the partner permission `payrollBulk`; ask the operator of this gateway for it',
    )
  }
}
