/** Connects to every enabled bank with our certificates, and compares its clock with ours. */
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openTppCertificates, type TppCertificates } from '../../../gateway/banks/certificates/tpp-certificates.ts'
import { listDirectoryEntries } from '../../../gateway/banks/directory/bank-health.ts'
import { openBankProfiles } from '../../../gateway/banks/directory/bank-profile-files.ts'
import { addressVersionError } from '../../../gateway/banks/directory/directory-entry.ts'
import { mapWithConcurrency } from '../../../gateway/platform/concurrency.ts'
import { isLoopback } from '../../../gateway/platform/http/ip-address.ts'
import { type CheckGroup, checksOf, clockOf, type Finding, findingsOf, type Installation } from '../check.ts'
import { failureChecks, failureFinding, requestUrl } from '../network/request-url.ts'

const SEE = 'operating/banks.md#connecting-a-new-bank'
const { error, warning } = checksOf(SEE)
/** Four rounds of the longest request are shorter than the limit of a group. */
const AT_ONCE = 20
/** `Date` has a precision of seconds, and banks reject signatures that are a few seconds off. */
const SKEW_SECONDS_MAX = 5

type Listed = Readonly<Record<'bic' | 'profile' | 'connector' | 'address', string>> & {
  readonly certificate: string | null
}
type Connection = { readonly authorities: string | null; readonly certificates: TppCertificates | undefined }

export const banksGroup: CheckGroup = {
  title: 'Banks',
  isOnline: true,
  checks: {
    'bank-missing': warning('the directory has no enabled bank'),
    'bank-profile-missing': error('a bank names a profile that does not exist'),
    'bank-certificate-missing': error(
      'a bank names a pair of certificates that does not exist, so that it is not called',
      'operating/certificates.md#several-pairs',
    ),
    'bank-of-sandbox': error('a bank of production is on this machine'),
    'bank-address-version': warning("a bank's address ends with /v1, which is appended to it once more"),
    'bank-folder-missing': error('the folder of a bank that takes files is missing'),
    'clock-skew-bank': error(
      'the clocks of this host and of a bank differ, so that the bank rejects signatures',
      'operating/certificates.md#certificates-for-banks',
    ),
    ...failureChecks('bank', 'a bank', SEE),
  },
  inspect: inspectBanks,
}

async function inspectBanks(installation: Installation): Promise<readonly Finding[] | undefined> {
  const { database, config, host } = installation
  if (!('pool' in database)) {
    return undefined
  }
  const listed = await listDirectoryEntries(database.stores, clockOf(host)).catch(() => undefined)
  if (listed === undefined) {
    return undefined
  }
  const banks = listed.map(({ row }) => row).filter(({ enabled }) => enabled)
  const profiles = await openBankProfiles(config.bankProfilesFolder, { error: () => undefined }).then(
    (opened) => opened.current(),
    () => undefined,
  )
  const connection = await openConnection(installation)
  const reached = await mapWithConcurrency(banks, AT_ONCE, async (bank) => [
    ...listingFindings(bank, profiles, config.mode),
    ...certificateFindings(bank, connection),
    ...(await reachFindings(bank, connection, () => host.real())),
  ])
  return [
    ...findingsOf('bank-missing', banks.length === 0, () => ({
      problem: 'The directory has no enabled bank: no consent can be created',
      where: 'banks',
      action: 'havn bank put',
    })),
    ...reached.flat(),
  ]
}

/** Without certificates where they are invalid, which is the finding of another check. */
async function openConnection({ config, host }: Installation): Promise<Connection> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const certificates = await openTppCertificates(config, { clock: host, log }).catch(() => undefined)
  certificates?.close()
  const authorities = config.bankCaFile === null ? null : await readFile(config.bankCaFile, 'utf8').catch(() => null)
  return { authorities, certificates }
}

function certificateFindings({ bic, certificate }: Listed, { certificates }: Connection): readonly Finding[] {
  const isMissing = certificates !== undefined && certificates.byName.get(certificate) === undefined
  return findingsOf('bank-certificate-missing', isMissing, () => ({
    problem: `${bic} is to know us by the certificates ${certificate}, which HAVN_CERTIFICATES_DIR does not have`,
    where: bic,
    action: `Add the four files ${certificate}.qwac.pem, .qwac.key, .qseal.pem and .qseal.key, or choose others with havn bank put --certificate.`,
  }))
}

function listingFindings(
  { bic, profile, connector, address }: Listed,
  profiles: ReadonlyMap<string, unknown> | undefined,
  mode: 'sandbox' | 'production',
): readonly Finding[] {
  const url = URL.parse(address)
  const versionError = addressVersionError({ connector, address })
  return [
    ...findingsOf('bank-address-version', versionError !== undefined, () => ({
      problem: `${bic}: ${versionError}`,
      where: bic,
      action: `havn bank put ${bic} with the base URL as --address`,
    })),
    ...findingsOf('bank-profile-missing', profiles !== undefined && !profiles.has(profile), () => ({
      problem: `${bic} has the profile ${profile}, which is neither in this release nor valid in HAVN_BANK_PROFILES_DIR`,
      where: bic,
      action: 'Set HAVN_BANK_PROFILES_DIR to the folder with the profile, and run havn bank check-profile.',
    })),
    ...findingsOf('bank-of-sandbox', mode === 'production' && url !== null && isLoopback(url.hostname), () => ({
      problem: `${bic} is at ${address}, on this machine`,
      where: bic,
      action: `havn bank put ${bic} with the bank's own --address, or with --disabled`,
    })),
  ]
}

async function reachFindings(
  { bic, address, certificate }: Listed,
  { authorities, certificates }: Connection,
  real: () => Temporal.Instant,
): Promise<readonly Finding[]> {
  const url = URL.parse(address)
  if (url?.protocol === 'file:') {
    const folder = fileURLToPath(url)
    return findingsOf('bank-folder-missing', !(await isFolder(folder)), () => ({
      problem: `${bic}: the folder ${folder} does not exist on this host`,
      where: bic,
      action: `mkdir -p ${folder}, on every host that runs Havn`,
    }))
  }
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return []
  }
  const identity = certificates?.byName.get(certificate)?.qwac ?? null
  const response = await requestUrl(url, { authorities, identity })
  if ('failure' in response) {
    const trust = 'Add the CA of the bank to HAVN_BANK_CA_FILE, after comparing it with what the bank publishes.'
    return [failureFinding({ prefix: 'bank', name: bic, where: bic, url, trust }, response)]
  }
  const theirs = Date.parse(response.headers.date ?? '')
  const secondsAhead = Number.isNaN(theirs) ? 0 : (real().epochMilliseconds - theirs) / 1_000
  return findingsOf('clock-skew-bank', Math.abs(secondsAhead) > SKEW_SECONDS_MAX, () => ({
    problem: `The clock of this host is ${Math.abs(secondsAhead).toFixed(0)} s ${secondsAhead > 0 ? 'ahead of' : 'behind'} that of ${bic}`,
    where: 'clock',
    action: 'Synchronise the clock: timedatectl set-ntp true. If only one bank differs, its clock is wrong.',
  }))
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}
