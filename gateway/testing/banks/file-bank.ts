/** Simulates a bank that accepts files: a directory entry, an agreement of the demo company, and status reports. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import { requirePartner } from '../../auth/list-partners.ts'
import { putBank } from '../../banks/directory/directory-entry.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import { pain002, type ReportContent } from '../../banks/testing/order-file-samples.ts'
import { registerAgreement } from '../../consents/agreements/agreement.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { processBankReports } from '../../orders/status/process-bank-reports.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { PSU } from '../payments/sample-payments.ts'

/** The bank and its identifiers. */
export const FILE_BANK = { bic: 'FILENO22', debtor: '86011117947', organisationNumber: '987654325' }

/** Operations at the bank, and of the partner whose company has an agreement with it. */
export type FileBankFixture = {
  readonly partnerId: string
  readonly consentId: string
  readonly folder: string
  /** Creates a payroll of so many salaries, due on the next bank day. */
  payroll(count: number, changes?: Partial<PayrollRequest>): PayrollRequest
  order(payroll: PayrollRequest, idempotencyKey?: string): Promise<{ payrollId: string }>
  /** The bank reads its inbox; returns the content of the files by message id. */
  take(): Promise<ReadonlyMap<string, string>>
  /** The bank reports on a file. */
  report(messageId: string, reported: ReportContent, name?: string): Promise<void>
  waiting(): Promise<readonly string[]>
  /** Runs the worker's poll for reports. */
  look(): Promise<number>
  statusOf(payrollId: string): ReturnType<TestGateway['client']['getPayrollStatus']>
  /** Interrupts or restores the connection to the bank. */
  cutOff(isCut: boolean): Promise<void>
  close(): Promise<void>
}

const FOLDERS = ['to-bank', 'from-bank', 'done']

/** Creates the bank with a new folder, or for an address of a folder. */
export async function openFileBank(
  gateway: TestGateway,
  at?: { readonly address: string; readonly folder: string },
): Promise<FileBankFixture> {
  const { client, context } = gateway
  const folder = at?.folder ?? (await makeFolders())
  const bic = FILE_BANK.bic
  const address = at?.address ?? pathToFileURL(folder).href
  await putBank(context.database, await readBankProfiles(BANK_PROFILES_FOLDER), {
    ...{ bic, name: 'Filbanken', countryCode: 'NO', connector: 'iso20022', profile: 'norwegian-files' },
    ...{ address, linkHosts: [] },
  })
  // The directory is cached for a few seconds.
  const bank = await untilListed(gateway)
  const { id: partnerId } = await requirePartner(context, 'Demo partner')
  const consentId = await registerAgreement(context, 'test', {
    ...{ partnerId, bic, countryCode: 'NO', number: 'CUSTOMER-7' },
    organisationNumber: FILE_BANK.organisationNumber,
    accounts: [FILE_BANK.debtor],
  })
  const consented = { consentId, psu: PSU }
  const product = context.banks.connectorOf(bank).files
  if (product === undefined) {
    throw new Error('The connector offers no files')
  }
  let ordered = 0
  return {
    partnerId,
    consentId,
    folder,
    payroll: (count, changes = {}) => {
      ordered += count
      return { ...payrollOf(gateway, count, ordered), ...changes }
    },
    order: (body, idempotencyKey) =>
      client.initiatePayroll({ ...consented, body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }),
    take: () => takeAll(join(folder, 'to-bank')),
    report: (messageId, reported, name = `${crypto.randomUUID()}.xml`) =>
      writeFile(join(folder, 'from-bank', name), pain002(messageId, reported)),
    waiting: () => readdir(join(folder, 'from-bank')),
    look: () => processBankReports(context, bank, product),
    statusOf: (payrollId) => client.getPayrollStatus({ params: { payrollId } }),
    cutOff: (isCut) => rename(isCut ? folder : `${folder}-away`, isCut ? `${folder}-away` : folder),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function makeFolders(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-file-bank-'))
  await Promise.all(FOLDERS.map((name) => mkdir(join(folder, name))))
  return folder
}

async function untilListed({ context }: TestGateway) {
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    const bank = await context.banks.find(FILE_BANK.bic)
    if (bank !== undefined) {
      return bank
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The bank does not show in the directory')
}

function payrollOf({ context }: TestGateway, count: number, last: number): PayrollRequest {
  const tomorrow = context.clock.today('Europe/Oslo').add({ days: 1 })
  return {
    from: { account: { bban: FILE_BANK.debtor }, name: 'Nordlys Handel AS' },
    transactions: Array.from({ length: count }, (_none, index) => ({
      metadata: { endToEndId: `SAL-${last - count + index + 1}` },
      name: `Kari Nordmann ${index}`,
      account: { bban: '12345678903' },
      amount: { amount: `${20_000 + index}.50`, currency: 'NOK' },
      remittanceInformation: { type: 'message', value: 'Lonn november' },
    })),
    dueDate: nextBankDay(['NO'], tomorrow).toString(),
    purposeCode: 'SALA',
  }
}

async function takeAll(outgoing: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(outgoing)).filter((name) => name.endsWith('.xml'))
  const texts = new Map<string, string>()
  for (const name of names) {
    texts.set(name.replace('.xml', ''), await readFile(join(outgoing, name), 'utf8'))
    await rm(join(outgoing, name))
  }
  return texts
}
