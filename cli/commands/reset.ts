/** `havn reset`: forgets everything of the data folder, its database and its master key included. */
import { rm } from 'node:fs/promises'
import { dataFolderAt, holdDataFolder } from '../../launcher/data-folder.ts'
import { removeEmbeddedPostgres } from '../../launcher/embedded-postgres/embedded-postgres.ts'
import { readStartSettings } from '../../launcher/start-settings.ts'

/** Empties the folder; refuses while Havn runs with it. */
export async function reset(environment: NodeJS.ProcessEnv): Promise<void> {
  const { dataDir } = readStartSettings(environment)
  const folder = dataFolderAt(dataDir)
  const letGo = await holdDataFolder(folder)
  try {
    await removeEmbeddedPostgres(folder.postgres)
    await rm(folder.logs, { recursive: true, force: true })
    await rm(folder.masterKeyFile, { force: true })
    await rm(folder.certificates, { recursive: true, force: true })
  } finally {
    await letGo()
  }
  console.log(`${dataDir} is empty; npm start begins anew.`)
}
