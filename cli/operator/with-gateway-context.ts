/** Opens everything that the gateway works with, banks and seal included, for commands that settle money. */
import { resolve } from 'node:path'
import { openContext } from '../../gateway/composition/open-context.ts'
import { readConfig } from '../../gateway/config/config.ts'
import type { GatewayContext } from '../../gateway/gateway-context.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { certificateFilesIn, gatewaySettingsOf } from '../../launcher/certificates/sandbox-certificates.ts'
import { dataFolderAt } from '../../launcher/data-folder.ts'
import { findDatabase } from './operator-context.ts'

/** Carries out a command and closes what was opened for it. */
export async function withContext(
  environment: NodeJS.ProcessEnv,
  carryOut: (context: GatewayContext) => Promise<void>,
): Promise<void> {
  const config = readConfig(await settingsOf(environment))
  // What matters is printed; a log would stand between the lines.
  const log = openLog({ program: 'havn', level: 'silent' })
  const { context, close } = await openContext(config, log, { program: 'havn tasks', processMetrics: false })
  try {
    await carryOut(context)
    await notifyDue(context.database)
  } finally {
    await close()
  }
}

/** The settings of the gateway; without a DATABASE_URL, those of the Havn that `npm start` runs in the data folder. */
async function settingsOf(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (environment['DATABASE_URL']?.trim()) {
    return environment
  }
  const folder = dataFolderAt(resolve(environment['HAVN_DATA_DIR']?.trim() || '.havn'))
  return {
    HAVN_MODE: 'sandbox',
    HAVN_MASTER_KEY_FILE: folder.masterKeyFile,
    ...gatewaySettingsOf(certificateFilesIn(folder.certificates)),
    ...environment,
    DATABASE_URL: await findDatabase(environment),
  }
}
