/** Lists the generators of Java, from Maven Central. */
import type { ClientGenerator } from './generator-step.ts'
import { ensureMaven } from './openapi-generator.ts'

/** openapi-generator as a plugin of the build, which also compiles the client. */
export const openApiGeneratorJava: ClientGenerator = {
  name: 'openapi-generator-java',
  language: 'Java',
  project: 'java-openapi-generator',
  generated: 'target/generated-sources/openapi/src/main/java',
  generate: async ({ run }) => {
    await ensureMaven()
    await run('mvn', ['--batch-mode', '--quiet', 'generate-sources'])
  },
  callOf: (operationId) => new RegExp(`^  public \\S+ ${operationId}\\(`, 'm'),
  compile: async ({ run }) => {
    await run('mvn', ['--batch-mode', '--quiet', 'compile'])
    return 'javac'
  },
  pay: ({ run }) => run('mvn', ['--batch-mode', '--quiet', '-Dopenapi.generator.maven.plugin.skip=true', 'exec:java']),
}
