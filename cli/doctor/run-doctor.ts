/** `havn doctor`: looks for misconfigurations of an installation, and says what to do about each. */

import { existsSync } from 'node:fs'
import { inspectConfig } from '../../gateway/config/config.ts'
import type { Environment } from '../../gateway/platform/setting.ts'
import { certificateFilesIn, gatewaySettingsOf } from '../../launcher/certificates/sandbox-certificates.ts'
import { dataFolderOf, readRunningHavn } from '../../launcher/data-folder.ts'
import { storedConnectionString } from '../../launcher/embedded-postgres/embedded-postgres.ts'
import { printableText } from '../printable-text.ts'
import type { HostFacts, Installation } from './check.ts'
import { closeSession, openSession } from './database/open-session.ts'
import { hostFacts } from './host/host-group.ts'
import { CHECK_GROUPS, inspectInstallation, type Selection } from './inspect-installation.ts'
import { countFindings, renderGroup, renderJson, renderSummary, secretsRedactor } from './output/print-report.ts'

export type DoctorOptions = Partial<Selection> & { readonly json?: boolean }

/** Prints what it finds. The exit code is 1 if there is an error, and 0 with warnings and notes only. */
export async function runDoctor(typed: DoctorOptions, given: Environment): Promise<void> {
  const { offline = false, skip = [], json = false, beforeUpgrade = false } = typed
  const unknown = skip.filter((name) => !Object.hasOwn(CHECK_GROUPS, name))
  if (unknown.length > 0) {
    throw new Error(
      `--skip names no group of checks: ${unknown.join(', ')}; there are ${Object.keys(CHECK_GROUPS).join(', ')}`,
    )
  }
  const installation = await openInstallation(given, hostFacts())
  const redacted = secretsRedactor(installation.environment)
  try {
    const groups = await inspectInstallation(installation, { offline, skip, beforeUpgrade }, (group) => {
      if (!json) {
        console.log(printableText(redacted(renderGroup(group))))
      }
    })
    const counts = countFindings(groups)
    console.log(json ? redacted(renderJson(groups)) : `\n${renderSummary(counts)}`)
    process.exitCode = counts.error > 0 ? 1 : 0
  } finally {
    await closeSession(installation.database)
  }
}

/** Opens it, however wrong its settings are; close its database session. */
export async function openInstallation(given: Environment, host: HostFacts): Promise<Installation> {
  const environment = await environmentOf(given)
  const { config, errors } = inspectConfig(environment, 'gateway')
  const ofWorker = inspectConfig(environment, 'worker').errors
  return {
    environment,
    config,
    settingErrors: errors,
    workerErrors: ofWorker.filter((error) => !errors.includes(error)),
    database: await openSession(config.databaseUrl),
    host,
  }
}

/** A configured installation has one of these two. */
async function environmentOf(given: Environment): Promise<Environment> {
  if (given['DATABASE_URL']?.trim() || given['HAVN_MASTER_KEY_FILE']?.trim()) {
    return given
  }
  const folder = dataFolderOf(given)
  if (!existsSync(folder.masterKeyFile)) {
    return given
  }
  const running = await readRunningHavn(folder)
  if (running === undefined) {
    console.error(
      `The Havn of ${folder.path} does not run, so that its database and URLs cannot be reached: run npm start first.`,
    )
  }
  return {
    HAVN_MODE: 'sandbox',
    HAVN_MASTER_KEY_FILE: folder.masterKeyFile,
    ...gatewaySettingsOf(certificateFilesIn(folder.certificates)),
    ...(running?.gatewayUrl === undefined ? {} : { HAVN_BASE_URL: running.gatewayUrl }),
    ...given,
    DATABASE_URL: await storedConnectionString(folder.postgres),
  }
}
