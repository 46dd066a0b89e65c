/** `havn certificates`: creates those of a sandbox, and prints our certificates for banks. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { listCertificateStatuses } from '../../gateway/banks/certificates/certificate-warnings.ts'
import { openTppCertificates } from '../../gateway/banks/certificates/tpp-certificates.ts'
import type { CertificateSettings } from '../../gateway/config/bank-settings.ts'
import { readCertificateSettings } from '../../gateway/config/config.ts'
import { movableClock } from '../../gateway/platform/clock.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import {
  bankSettingsOf,
  certificateFilesIn,
  createSandboxCertificates,
  gatewaySettingsOf,
  issueServerCertificate,
} from '../../launcher/certificates/sandbox-certificates.ts'
import { dataFolderOf } from '../../launcher/data-folder.ts'
import { cellOr, printTable, type TableOptions } from './print-table.ts'
import { jsonOption } from './run-operator-command.ts'

/** Creates a set in a new folder, and prints its settings. Never overwrites files, which running programs use. */
export async function createCertificates(path: string): Promise<void> {
  const folder = resolve(path)
  if (existsSync(folder)) {
    throw new Error(`${folder} already exists; choose another --folder, or remove it first`)
  }
  await createSandboxCertificates(folder, movableClock().real())
  const files = certificateFilesIn(folder)
  console.log(`${folder} contains a CA, a QWAC, a QSEAL and the certificate of a sandbox bank. Their settings:`)
  for (const [name, file] of Object.entries({ ...gatewaySettingsOf(files), ...bankSettingsOf(files) })) {
    console.log(`  ${name}=${file}`)
  }
}

/** Issues the certificate of a test bank's server, with the CA of a folder. */
export async function issueServer(
  path: string | undefined,
  { name, host }: { readonly name: string; readonly host: readonly string[] },
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const folder = path === undefined ? dataFolderOf(environment).certificates : resolve(path)
  const { authority, authorityKey } = certificateFilesIn(folder)
  if (!existsSync(authorityKey)) {
    throw new Error(
      `${folder} has no CA key (authority.key): create a new set with "havn certificates create --sandbox", or choose another --folder`,
    )
  }
  if (!/^[a-z0-9-]+$/.test(name) || existsSync(join(folder, `${name}.pem`))) {
    throw new Error(`--name must be a new name of lower-case letters, digits and hyphens; "${name}" is not`)
  }
  const issued = await issueServerCertificate(folder, { hosts: host, name }, movableClock().real())
  console.log(`The test bank's server uses\n  certificate ${issued.certificate}\n  key         ${issued.key}`)
  console.log(`Havn trusts it with HAVN_BANK_CA_FILE=${authority}`)
}

/** What the extended key usage says; without one, RFC 5280 permits every use. */
const CLIENT_AUTHENTICATION = { named: 'yes', unrestricted: 'not restricted (no extended key usage)' } as const

/** Prints the configured certificates; by default those that `npm start` created in the data folder. */
export async function printCertificates(environment: NodeJS.ProcessEnv, options: TableOptions): Promise<void> {
  const clock = movableClock()
  const log = openLog({ program: 'havn', level: 'silent' })
  const certificates = await openTppCertificates(settingsOf(environment), { clock, log })
  certificates.close()
  const shown = listCertificateStatuses(certificates, clock.real())
  if (shown.length === 0) {
    throw new Error('No certificates are configured: banks cannot identify us')
  }
  const rows = shown.map((one) => ({
    certificate: one.certificate,
    organisation: cellOr(one.organizationIdentifier, 'none'),
    roles: { value: one.roles, shown: one.roles.join(' ') || 'none' },
    'client authentication':
      one.clientAuthentication === undefined
        ? cellOr(null, '')
        : { value: one.clientAuthentication, shown: CLIENT_AUTHENTICATION[one.clientAuthentication] },
    expires: one.expiresAt,
    warning: cellOr(one.warning ?? null, ''),
  }))
  printTable({ rows, whenEmpty: 'No certificates.' }, options)
}

function settingsOf(environment: NodeJS.ProcessEnv): CertificateSettings {
  const given = readCertificateSettings(environment)
  const files = certificateFilesIn(dataFolderOf(environment).certificates)
  const isGiven = given.qwac !== null || given.qseal !== null || given.certificatesFolder !== null
  return isGiven || !existsSync(files.qwac.certificate) ? given : readCertificateSettings(gatewaySettingsOf(files))
}

export function addCertificateCommands(group: Command): void {
  group
    .command('create')
    .description('create a CA, a QWAC, a QSEAL and a server certificate for a sandbox; real banks do not accept them')
    .requiredOption(
      '--sandbox',
      'confirm that they are for a sandbox: a qualified trust service provider issues real ones',
    )
    .option('--folder <path>', 'a folder that does not exist yet', 'certificates')
    .action(({ folder }: { folder: string }) => createCertificates(folder))
  group
    .command('issue-server')
    .description('issue the server certificate of a test bank, by the CA of a sandbox')
    .requiredOption('--host <host...>', 'host names and IPv4 addresses of the server')
    .requiredOption('--name <name>', 'the name of the files: <name>.pem and <name>.key')
    .option('--folder <path>', 'the folder of `certificates create`; by default that of `npm start`')
    .action(({ folder, ...server }: { folder?: string; name: string; host: string[] }) =>
      issueServer(folder, server, process.env),
    )
  group
    .command('show')
    .description('print the configured certificates: subject, roles and expiry')
    .addOption(jsonOption())
    .action((options: TableOptions) => printCertificates(process.env, options))
}
