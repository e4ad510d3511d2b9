/** Both need the body exactly as it arrived: parsed and written again, it has another signature. */
export const verificationExamples = {
  Node: `// npm install standardwebhooks express
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

express()
  .post('/webhooks', express.raw({ type: '*/*', limit: '1mb' }), (request, response) => {
    // Throws where the signature is wrong or the request is old.
    const event = webhook.verify(request.body.toString(), request.headers);
    console.log(event.type, event.data.id);
    response.sendStatus(204);
  })
  .listen(8080);`,
  Python: `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
app = Flask(__name__)

@app.post("/webhooks")
def receive():
    # Raises where the signature is wrong or the request is old.
    event = webhook.verify(request.get_data(), dict(request.headers))
    print(event["type"], event["data"]["id"])
    return "", 204`,
};
