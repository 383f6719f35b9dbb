package dev.weir.cli.serve;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Records which classes are on the stack whenever another JVM enters one of some methods. */
final class StackProbe implements AutoCloseable {
  private final VirtualMachine machine;
  private final List<List<String>> stacks = new CopyOnWriteArrayList<>();
  private final Thread reader = new Thread(this::read, "stack-probe");

  /** Attaches to a JVM that waits for a debugger on a port of this machine. */
  StackProbe(int port) throws Exception {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(one -> one.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    Objects.requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
    Objects.requireNonNull(arguments.get("port")).setValue(Integer.toString(port));
    machine = connector.attach(arguments);
    reader.setDaemon(true);
    reader.start();
  }

  /** Records at the methods of a loaded class. */
  void recordAtMethods(String type, Predicate<String> name) {
    machine.classesByName(type).forEach(loaded -> recordAt(loaded, name));
  }

  /** Records at the methods of all loaded classes that implement an interface. */
  void recordAtImplementations(String type, Predicate<String> name) {
    for (ReferenceType loaded : machine.allClasses()) {
      if (loaded instanceof ClassType implementing
          && implementing.allInterfaces().stream().anyMatch(one -> one.name().equals(type))) {
        recordAt(loaded, name);
      }
    }
  }

  private void recordAt(ReferenceType type, Predicate<String> name) {
    for (Method method : type.methods()) {
      if (name.test(method.name()) && method.location() != null) {
        BreakpointRequest request =
            machine.eventRequestManager().createBreakpointRequest(method.location());
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
      }
    }
  }

  /** The stacks so far, each from the innermost class to the outermost. */
  List<List<String>> stacks() {
    return List.copyOf(stacks);
  }

  private void read() {
    try {
      while (true) {
        EventSet events = machine.eventQueue().remove();
        for (Event event : events) {
          if (event instanceof BreakpointEvent hit) {
            stacks.add(classes(hit.thread()));
          }
        }
        events.resume();
      }
    } catch (VMDisconnectedException | InterruptedException e) {
      // The server has stopped, or the test is over.
    }
  }

  private static List<String> classes(ThreadReference thread) {
    List<String> names = new ArrayList<>();
    try {
      for (StackFrame frame : thread.frames()) {
        names.add(frame.location().declaringType().name());
      }
    } catch (IncompatibleThreadStateException e) {
      throw new IllegalStateException(e); // the thread is suspended by the event
    }
    return names;
  }

  @Override
  public void close() {
    reader.interrupt();
    machine.dispose();
  }
}
