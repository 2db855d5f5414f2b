import "./styles.css";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { makeQueryClient } from "./api/client";
import { makeRouter } from "./app/router";
import { startTheme } from "./app/theme";

startTheme();
const client: QueryClient = makeQueryClient();
const router = makeRouter();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element 'root'");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
