-- What is over is cleared out by the first try of each window.
CREATE INDEX "sign_in_throttles_last_request_idx" ON "sign_in_throttles"("last_request");
