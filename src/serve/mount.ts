/** A protocol of its own beside the API, such as MCP: one path that hands whole requests to a handler. */

export interface Mount {
  /** As `/mcp`. */
  path: string
  /** Answers without a token. */
  public?: true
  /** `token` is the caller's: what is done for them is done with it. Empty for a public path. */
  handle(request: Request, token: string): Promise<Response>
  /** Ends open streams and calls when the server closes. */
  close?(): Promise<void>
}
