/** Validates a bulk of payrolls and collects all errors. */
import { Type } from 'typebox'
import { PAYROLLS_PER_BULK_MAX, PayrollBulkRequest } from '../../../contract/payrolls/payroll-request.ts'
import { validateCallbackUrl } from '../../auth/callback-origin.ts'
import { hasPartnerPermission } from '../../auth/client-permissions.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { Parsing } from '../../platform/http/operations/served-operation.ts'
import { compileBodyCheck, isSound, withStringErrors } from '../../platform/http/validation/schema-validation.ts'
import type { ValidDomesticPayment } from './domestic-payment-parts.ts'
import type { PayrollInstruction } from './payroll-orders.ts'
import {
  type CheckedBody,
  collectValidationErrors,
  parsePayrollAt,
  payrollValidationContext,
  toPayrollInstruction,
} from './validate-payroll.ts'

/** The payrolls are validated one by one. */
const checkBulkShape = compileBodyCheck(
  Type.Object({
    ...PayrollBulkRequest.properties,
    payrolls: Type.Array(Type.Unknown(), { minItems: 1, maxItems: PAYROLLS_PER_BULK_MAX }),
  }),
)

/** The payrolls, or all errors, at paths as `.payrolls[3].transactions[17].name`. Throws `UNSUPPORTED_PRODUCT_BY_BANK` if the body is valid. */
export async function parsePayrollBulk(
  context: Context,
  caller: ConsentCaller,
  { body, texts }: CheckedBody<PayrollBulkRequest>,
): Promise<Parsing<readonly PayrollInstruction[]>> {
  const validation = await payrollValidationContext(context, caller, texts)
  const { bank } = validation.situation
  const otherTextErrors = texts.filter(({ path }) => !path.startsWith('.payrolls['))
  const shape = withStringErrors(checkBulkShape(body), otherTextErrors)
  const isSoundAt = (part: string) => isSound(part, shape)
  const { maxBulkSize } = bank.profile.constraints
  const tooMany =
    isSoundAt('.payrolls') && maxBulkSize !== null && body.payrolls.length > maxBulkSize
      ? [`has ${body.payrolls.length} payrolls; ${bank.name} accepts at most ${maxBulkSize} in one bulk`]
      : []
  const collector = collectValidationErrors()
  collector.add('', [
    ...shape,
    ...(isSoundAt('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : []),
    ...tooMany.map((reason) => ({ code: 'InvalidRequest', reason, path: '.payrolls' }) as const),
  ])
  const payments: (readonly ValidDomesticPayment[])[] = []
  if (isSoundAt('.payrolls') && tooMany.length === 0) {
    for (const [number, payroll] of body.payrolls.entries()) {
      payments.push(await parsePayrollAt(collector, `.payrolls[${number}]`, payroll, validation))
    }
  }
  const errors = collector.listed(body)
  if (errors.length > 0) {
    return errors
  }
  await requirePayrollBulkPermission(context, caller, bank)
  const instructions: PayrollInstruction[] = []
  for (const [number, payroll] of body.payrolls.entries()) {
    instructions.push(await toPayrollInstruction(payroll, payments[number] ?? [], validation))
  }
  return { parsed: instructions }
}

/** Throws `UNSUPPORTED_PRODUCT_BY_BANK` where the bank accepts no bulks, and for a missing permission, too. */
async function requirePayrollBulkPermission(
  context: Context,
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
