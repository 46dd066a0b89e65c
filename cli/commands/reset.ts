/** `havn reset`: deletes everything in the data folder, including its database and its master key. */
import { rm } from 'node:fs/promises'
import { dataFolderPaths, lockDataFolder } from '../../launcher/data-folder.ts'
import { removeEmbeddedPostgres } from '../../launcher/embedded-postgres/embedded-postgres.ts'
import { readStartSettings } from '../../launcher/start-settings.ts'

/** Empties the folder; throws while Havn runs with it. */
export async function reset(environment: NodeJS.ProcessEnv): Promise<void> {
  const { dataDir } = readStartSettings(environment)
  const folder = dataFolderPaths(dataDir)
  const letGo = await lockDataFolder(folder)
  try {
    await removeEmbeddedPostgres(folder.postgres)
    for (const path of [folder.logs, folder.masterKeyFile, folder.certificates]) {
      await rm(path, { recursive: true, force: true })
    }
  } finally {
    await letGo()
  }
  console.log(`${dataDir} is empty; npm start creates everything again.`)
}
