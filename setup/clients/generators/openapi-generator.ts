/** Runs openapi-generator, which is a Java program from Maven Central, with the options in a project's file. */
import { ensureProgram } from '../ensure-program.ts'
import type { ClientProject } from './generator-step.ts'

const VERSION = '7.25.0'
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy'
/** Where the running gateway serves the document. */
const DOCUMENT = '"$HAVN_URL/openapi.json"'

/** Generates the client that `openapi-generator.yaml` of the project describes. */
export async function runOpenApiGenerator({ run }: ClientProject): Promise<void> {
  await ensureMaven()
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`
  await run('mvn', ['--batch-mode', '--quiet', COPY, artifact, '-DoutputDirectory=generator'])
  await run('sh', ['-c', `java -jar generator/openapi-generator-cli-${VERSION}.jar ${generateCommand()}`])
}

/** The command of openapi-generator, for the document of the running gateway or a copy of it. */
export function generateCommand(document = DOCUMENT): string {
  return `generate -c openapi-generator.yaml -i ${document}`
}

/** Ensures that Java's compiler and Maven are installed. */
export async function ensureMaven(): Promise<void> {
  await ensureProgram('javac', ['default-jdk-headless'])
  await ensureProgram('mvn', ['maven'])
}
