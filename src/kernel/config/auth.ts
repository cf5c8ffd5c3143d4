/** `auth`: how the users of a shared project log in with a browser. */
import { z } from 'zod'
import { variableName, webAddress } from './values.ts'

export const authSchema = z.strictObject({
  issuer: webAddress.describe('The OpenID Connect provider: the address before /.well-known/openid-configuration.'),
  client_id: z.string().min(1).describe('The client id that the provider gave to this Convene.'),
  client_secret_env: variableName.describe('The environment variable that holds the client secret.'),
})
