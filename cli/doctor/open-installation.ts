/** Reads the settings of the installation to check: those of the environment, or of the `npm start` in this folder. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { inspectConfig } from '../../gateway/config/config.ts'
import type { Environment } from '../../gateway/platform/setting.ts'
import { certificateFilesIn, gatewaySettingsOf } from '../../launcher/certificates/sandbox-certificates.ts'
import { dataFolderPaths, readRunningHavn } from '../../launcher/data-folder.ts'
import { storedConnectionString } from '../../launcher/embedded-postgres/embedded-postgres.ts'
import type { HostFacts, Installation } from './check.ts'
import { openSession } from './database/open-session.ts'

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
  const folder = dataFolderPaths(resolve(given['HAVN_DATA_DIR']?.trim() || '.havn'))
  if ((await stat(folder.masterKeyFile).catch(() => undefined)) === undefined) {
    return given
  }
  const running = await readRunningHavn(folder)
  return {
    HAVN_MODE: 'sandbox',
    HAVN_MASTER_KEY_FILE: folder.masterKeyFile,
    ...gatewaySettingsOf(certificateFilesIn(folder.certificates)),
    ...(running?.gatewayUrl === undefined ? {} : { HAVN_BASE_URL: running.gatewayUrl }),
    ...given,
    DATABASE_URL: await storedConnectionString(folder.postgres),
  }
}
